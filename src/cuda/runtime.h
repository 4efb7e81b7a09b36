// The CUDA runtime as C++: errors are exceptions; memory, streams and events have owners.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

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

// Why there is no device to use here; empty when there is one.
[[nodiscard]] std::string why_unavailable();

// Whether the driver has found a GPU, or fails for any other reason than that there is none.
[[nodiscard]] bool driver_sees_gpu();

// Of the device that is used; asked for once, since the driver takes a millisecond to tell.
[[nodiscard]] const cudaDeviceProp& properties();

class Stream {
  public:
    Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream();

    [[nodiscard]] cudaStream_t get() const { return stream_; }
    void wait() const;  // until everything in it is done

  private:
    cudaStream_t stream_ = nullptr;
};

// A point in a stream that another one can wait for.
class Event {
  public:
    Event();
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event();

    void record(const Stream& stream) const;
    void hold(const Stream& stream) const;  // what comes next in it waits for the point recorded
    void wait() const;                      // the caller does

  private:
    cudaEvent_t event_ = nullptr;
};

// An array on the device, its contents undefined. Empty arrays have no memory.
template <class T>
class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(std::size_t size);
    Buffer(Buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Buffer();

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

    void upload(std::span<const T> from, const Stream& stream) {
        WORDBREADTH_CUDA(cudaMemcpyAsync(data_, from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream.get()));
    }
    void download(std::span<T> to, const Stream& stream) const {
        WORDBREADTH_CUDA(cudaMemcpyAsync(to.data(), data_, to.size_bytes(), cudaMemcpyDeviceToHost, stream.get()));
    }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// Device memory by the byte; throws OutOfMemory. Tried and dropped: the driver's own pool, which keeps what is
// released. A short call took the same 24 ms, a long one 57 instead of 47.
[[nodiscard]] void* allocate(std::size_t bytes);
void release(void* memory) noexcept;

template <class T>
Buffer<T>::Buffer(std::size_t size)
    : data_(size == 0 ? nullptr : static_cast<T*>(allocate(size * sizeof(T)))), size_(size) {}

template <class T>
Buffer<T>::~Buffer() {
    release(data_);
}

}  // namespace wordbreadth::cuda
