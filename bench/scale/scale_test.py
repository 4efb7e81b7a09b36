"""The simulator against what can be worked out by hand. python3 -B bench/scale/scale_test.py"""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import scale
from events import Shared, Simulation
from phases import Conditions, Phase, divided, simulate


class Events(unittest.TestCase):
    def test_users_of_a_resource_get_equal_shares_and_speed_up_when_one_leaves(self):
        disk = Shared(capacity=2.0, most=1.5)
        simulation = Simulation([disk])
        ends = {}

        def user(name, amount):
            yield disk, amount
            ends[name] = simulation.now

        for name, amount in (("a", 1.0), ("b", 4.0)):
            simulation.start(user(name, amount))
        simulation.run()
        self.assertEqual(ends, {"a": 1.0, "b": 3.0})  # 1 each for a second, then 1.5 for b's other 3


class Phases(unittest.TestCase):
    def test_parts_divide_the_pieces(self):
        self.assertEqual([len(part) for part in divided(10, 4)], [2, 3, 2, 3])
        self.assertEqual([piece for part in divided(7, 3) for piece in part], list(range(7)))

    def test_undisturbed_workers_share_the_work(self):
        phase = Phase(pieces=[2.0] * 12, start=5.0)
        for workers, seconds in ((1, 29), (3, 13), (12, 7), (100, 7)):
            self.assertAlmostEqual(simulate(phase, Conditions(workers)).seconds, seconds)

    def test_workers_on_fewer_cores_take_turns(self):
        found = simulate(Phase(pieces=[3.0] * 8), Conditions(workers=4, cores=2))
        self.assertAlmostEqual(found.seconds, 12.0)

    def test_other_processes_take_their_share_of_the_cores(self):
        found = simulate(Phase(pieces=[3.0] * 2), Conditions(workers=2, cores=2, others=6))
        self.assertAlmostEqual(found.seconds, 12.0)

    def test_storage_bounds_what_is_written(self):
        phase = Phase(pieces=[1.0] * 100, piece_bytes=10.0)
        found = simulate(phase, Conditions(workers=10, bandwidth=20.0))
        self.assertGreater(found.seconds, 1000 / 20)  # and not at 10 x 1 s
        self.assertLess(found.seconds, 1000 / 20 + 2)
        self.assertAlmostEqual(found.bytes_moved, 1000)

    def test_writing_beside_the_work_costs_only_the_last_write(self):
        self.assertAlmostEqual(simulate(Phase(pieces=[1.0] * 9, piece_bytes=1.0), Conditions(1, bandwidth=2.0)).seconds, 9.5)

    def test_a_killed_worker_loses_one_piece_at_most(self):
        phase = Phase(pieces=[60.0] * 400)
        found = simulate(phase, Conditions(workers=4, hours_between_failures=0.5, seed=3))
        self.assertGreater(found.failures, 5)
        self.assertAlmostEqual(found.busy, 400 * 60, delta=1e-6)
        self.assertLess(found.lost, 60.0 * found.failures)
        self.assertGreater(found.seconds, 6000)

    def test_failures_come_as_often_as_they_should(self):
        found = [simulate(Phase(pieces=[36.0] * 1000), Conditions(10, hours_between_failures=1.0, seed=seed)) for seed in range(30)]
        expected = sum((one.busy + one.lost) / 3600 for one in found)
        self.assertAlmostEqual(sum(one.failures for one in found) / expected, 1.0, delta=0.2)

    def test_more_parts_than_workers_make_up_for_slow_ones(self):
        phase = Phase(pieces=[10.0] * 1600)
        slow = {parts: simulate(phase, Conditions(100, parts_per_worker=parts, slow_share=0.05, slow_factor=3.0)).seconds for parts in (1, 8)}
        self.assertAlmostEqual(slow[1], 480.0)
        self.assertLess(slow[8], 250.0)

    def test_the_same_seed_gives_the_same_result(self):
        phase = Phase(pieces=[1.0] * 500, pool=[0.8, 1.0, 1.5], piece_bytes=1.0)
        conditions = Conditions(7, hours_between_failures=0.01, slow_share=0.3, slow_factor=2.0, bandwidth=9.0)
        self.assertEqual(simulate(phase, conditions), simulate(phase, conditions))


class Jobs(unittest.TestCase):
    def test_every_rate_stands_in_the_file_that_it_is_from(self):
        for name, rate in json.loads((scale.HERE / "rates.json").read_text()).items():
            self.assertIn(rate["quote"], (scale.PROJECT / rate["file"]).read_text(encoding="utf-8"), name)

    def test_tables_and_figure_are_made_and_are_those_that_were_committed(self):
        with tempfile.TemporaryDirectory() as folder:
            results, figure = Path(folder, "scale.md"), Path(folder, "scale.svg")
            with contextlib.redirect_stdout(io.StringIO()):
                scale.main(["--results", str(results), "--svg", str(figure)])
            self.assertEqual(results.read_text(), (scale.PROJECT / "bench" / "results" / "scale.md").read_text())
            self.assertEqual(figure.read_text(), (scale.PROJECT / "docs" / "figures" / "scale.svg").read_text())

    def test_more_workers_never_make_the_parts_of_a_large_job_slower_than_one(self):
        facts = (scale.load_rates(), scale.load_measured(scale.HERE / "measured.json"), scale.Assumed())
        one, ten = (scale.run(scale.JOBS[1], workers, *facts).seconds["plan"] for workers in (1, 10))
        self.assertLess(ten, one / 5)


if __name__ == "__main__":
    unittest.main()
