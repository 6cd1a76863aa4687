"""Judges example submissions with the DMOJ judge, and compares their points with kopek's.

Called as: dmoj_points.py CONFIG PROBLEM TIME_LIMIT CLASS GRADED, where CLASS has the submissions and GRADED is what
`kopek grade PACKAGE CLASS --format json` printed. All of them are C++.
Points are parts of the greatest score: the site scales them.
"""
import json
import os
import sys

config, problem, time_limit, class_dir, graded = sys.argv[1:]
sys.argv = ["dmoj-cli", "-c", config, "--no-ansi", "--only-executors", "CPP17"]

import yaml
from dmoj import contrib, executors, judgeenv
from dmoj.judge import Judge, Submission


class Points:
    """What the site hears of a submission; a batch is worth its least case."""

    def __init__(self):
        self.cases, self.batch, self.errors = [], None, []

    def begin_grading_packet(self, is_pretested):
        self.__init__()

    def batch_begin_packet(self):
        self.batch = []

    def batch_end_packet(self):
        self.cases.append(min(self.batch, default=0))
        self.batch = None

    def test_case_status_packet(self, position, result):
        (self.cases if self.batch is None else self.batch).append(result.points)

    def internal_error_packet(self, message):
        self.errors.append(message)

    def compile_error_packet(self, log):
        self.errors.append(log)

    def __getattr__(self, name):
        return lambda *_: None


judgeenv.load_env(cli=True)
executors.load_executors()
contrib.load_contrib_modules()
points = Points()
judge = Judge(points)
with open(graded) as file:
    report = json.load(file)
with open(os.path.join(judgeenv.get_problem_root(problem), "init.yml")) as file:
    most = sum(case["points"] for case in yaml.safe_load(file)["test_cases"])
failed = not report["participants"]
for number, row in enumerate(report["participants"], 1):
    name = row["submission"]
    with open(os.path.join(class_dir, name)) as file:
        source = file.read()
    judge.begin_grading(
        Submission(number, problem, "CPP17", source, float(time_limit), 1 << 20, False, {}),
        blocking=True,
        report=lambda text: None,
    )
    there = sum(points.cases)
    same = abs(there / most - row["points"] / row["max"]) < 1e-6 and not points.errors
    failed |= not same
    print(f"{name}: {row['points']} of {row['max']} here, {there:g} of {most:g} there", *points.errors)
sys.exit(1 if failed else 0)
