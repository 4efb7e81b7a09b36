// The CUDA runtime as C++: errors are exceptions; memory, streams and events have owners.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace wordbreadth::cuda {

// Throws when a call failed: OutOfMemory for cudaErrorMemoryAllocation, else std::runtime_error with the call's text,
// the error's name and its description.
void check(cudaError_t status, const char* call);

// After every launch: what the launch itself reports.
void check_launch(const char* kernel);

#define WORDBREADTH_CUDA(call) ::wordbreadth::cuda::check((call), #call)

// The device's memory does not hold what was asked for. The engine then takes smaller batches, as long as it can.
class OutOfMemory : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Why there is no GPU to use here, or why this one cannot be used; empty when there is, or it can.
[[nodiscard]] std::string why_unavailable();
[[nodiscard]] std::string why_unavailable(int ordinal);

// Whether the driver has found a GPU, or fails for any other reason than that there is none.
[[nodiscard]] bool driver_sees_gpu();

// How many GPUs the driver shows, usable or not; and those that can be used, by their ordinals.
[[nodiscard]] int gpu_count();
[[nodiscard]] std::vector<int> usable_gpus();

// Of a GPU, or of the calling thread's current one; asked for once, since the driver takes a millisecond to tell.
[[nodiscard]] const cudaDeviceProp& properties(int ordinal);
[[nodiscard]] const cudaDeviceProp& properties();
[[nodiscard]] std::string instruction_set(int ordinal);  // "sm_90"

// Which GPU the calling thread uses. Each thread has one of its own, at first the first.
[[nodiscard]] int current_gpu();

// Returns work(), done on that GPU: by the calling thread where that is its current one, else by another. The
// caller's is never changed: its program may rely on it, and to change it back would start the first GPU's driver where
// only another is wanted (300 MB of its memory, a fifth of a second).
template <class Work>
std::invoke_result_t<Work> on_gpu(int ordinal, Work&& work) {
    if (current_gpu() == ordinal) return std::forward<Work>(work)();
    std::packaged_task<std::invoke_result_t<Work>()> task([&] {
        WORDBREADTH_CUDA(cudaSetDevice(ordinal));
        return std::forward<Work>(work)();
    });
    std::thread(std::ref(task)).join();
    return task.get_future().get();
}

// Something that lives on a GPU: it is made, used and ended there.
template <class Value>
class OnGpu {
  public:
    template <class Make>
    OnGpu(int ordinal, const Make& make) : ordinal_(ordinal), value_(on_gpu(ordinal, make)) {}
    OnGpu(const OnGpu&) = delete;
    OnGpu& operator=(const OnGpu&) = delete;
    ~OnGpu() {
        try {
            on_gpu(ordinal_, [&] { value_.reset(); });
        } catch (const std::exception&) {  // no thread can be started: it ends on this one
        }
    }

    [[nodiscard]] int ordinal() const { return ordinal_; }
    // Only what touches no GPU.
    [[nodiscard]] const Value& operator*() const { return *value_; }

    // Returns work(value), done on its GPU.
    template <class Work>
    auto use(Work&& work) {
        return on_gpu(ordinal_, [&] { return std::forward<Work>(work)(*value_); });
    }

  private:
    int ordinal_;
    std::unique_ptr<Value> value_;
};

class Stream {
  public:
    Stream() { WORDBREADTH_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() { static_cast<void>(cudaStreamDestroy(stream_)); }

    [[nodiscard]] cudaStream_t get() const { return stream_; }
    void wait() const { WORDBREADTH_CUDA(cudaStreamSynchronize(stream_)); }  // until everything in it is done
    [[nodiscard]] bool is_done() const {
        const cudaError_t status = cudaStreamQuery(stream_);
        if (status != cudaErrorNotReady) WORDBREADTH_CUDA(status);
        return status == cudaSuccess;
    }

  private:
    cudaStream_t stream_ = nullptr;
};

// A point in a stream that another one can wait for.
class Event {
  public:
    Event() { WORDBREADTH_CUDA(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { static_cast<void>(cudaEventDestroy(event_)); }

    void record(const Stream& stream) const { WORDBREADTH_CUDA(cudaEventRecord(event_, stream.get())); }
    // What comes next in the stream waits for the point recorded; or the caller does.
    void hold(const Stream& stream) const { WORDBREADTH_CUDA(cudaStreamWaitEvent(stream.get(), event_, 0)); }
    void wait() const { WORDBREADTH_CUDA(cudaEventSynchronize(event_)); }
    [[nodiscard]] bool is_done() const {  // also where none was recorded
        const cudaError_t status = cudaEventQuery(event_);
        if (status != cudaErrorNotReady) WORDBREADTH_CUDA(status);
        return status == cudaSuccess;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

// Copies between the host and the device. Pageable memory of the host must stay until the copy is done.
template <class T>
void upload(std::type_identity_t<std::span<const T>> from, T* to, const Stream& stream) {
    WORDBREADTH_CUDA(cudaMemcpyAsync(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream.get()));
}
template <class T>
void download(const T* from, std::type_identity_t<std::span<T>> to, const Stream& stream) {
    WORDBREADTH_CUDA(cudaMemcpyAsync(to.data(), from, to.size_bytes(), cudaMemcpyDeviceToHost, stream.get()));
}

// An array on the device, its contents undefined. Empty arrays have no memory; others throw OutOfMemory where there is
// none. Tried and dropped: the driver's own pool, which keeps what is released. A short call took the same 24 ms, a
// long one 57 instead of 47.
template <class T>
class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(std::size_t size) : size_(size) {
        if (size != 0) WORDBREADTH_CUDA(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)));
    }
    Buffer(Buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Buffer() { static_cast<void>(cudaFree(data_)); }

    [[nodiscard]] T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }

    // At least `size` elements; what was in it is lost when it grows.
    void reserve(std::size_t size) {
        if (size > size_) {
            *this = Buffer();
            *this = Buffer(size);
        }
    }

    void upload(std::span<const T> from, const Stream& stream) { cuda::upload(from, data_, stream); }
    void download(std::span<T> to, const Stream& stream) const { cuda::download(data_, to, stream); }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// Memory of the host that the device reads and writes itself, while both do other things.
template <class T>
class Pinned {
  public:
    // At least `size` elements; what was in it is lost when it grows. Throws OutOfMemory.
    void reserve(std::size_t size) {
        if (size <= size_) return;
        release();
        void* memory = nullptr;
        WORDBREADTH_CUDA(cudaHostAlloc(&memory, size * sizeof(T), cudaHostAllocDefault));
        memory_.reset(static_cast<T*>(memory));
        size_ = size;
    }
    void release() {
        memory_.reset();
        size_ = 0;
    }

    [[nodiscard]] T* data() const { return memory_.get(); }

  private:
    struct Free {
        void operator()(T* memory) const { static_cast<void>(cudaFreeHost(memory)); }
    };
    std::unique_ptr<T, Free> memory_;
    std::size_t size_ = 0;
};

// One allocation on the device, cut into arrays.
class Arena {
  public:
    // `lay_out(arena)` takes the arrays it needs; it is called twice, first to learn how much they need together.
    template <class LayOut>
    void fill(const LayOut& lay_out) {
        base_ = nullptr;
        used_ = 0;
        lay_out(*this);
        memory_.reserve(used_);
        base_ = memory_.data();
        used_ = 0;
        lay_out(*this);
    }

    template <class T>
    [[nodiscard]] T* take(std::size_t size) {
        std::byte* const at = base_ == nullptr ? nullptr : base_ + used_;
        used_ += (size * sizeof(T) + alignment - 1) / alignment * alignment;
        return reinterpret_cast<T*>(at);
    }

    void release() { memory_ = Buffer<std::byte>(); }
    [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }
    [[nodiscard]] std::size_t used() const { return used_; }  // by what was taken

  private:
    static constexpr std::size_t alignment = 256;
    Buffer<std::byte> memory_;
    std::byte* base_ = nullptr;
    std::size_t used_ = 0;
};

}  // namespace wordbreadth::cuda
