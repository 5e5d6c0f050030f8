"""The script that a Python user writes for the same job: rows of a CSV file through a model in batches of 32.

    python batch32.py [--reader csv|pandas] [--threads N] MODEL INPUT OUTPUT

Every column of INPUT is a number of the model's only input. OUTPUT gets one JSON line a row, with the values of the
model's outputs. `--threads 0` leaves the number of threads to ONNX Runtime.
"""

import argparse
import csv
import itertools
import json

import numpy
import onnxruntime

BATCH_ROWS = 32


def read_with_csv(path):
    with open(path, newline="") as file:
        rows = csv.reader(file)
        next(rows)
        while batch := list(itertools.islice(rows, BATCH_ROWS)):
            yield numpy.array(batch, dtype=numpy.float32)


def read_with_pandas(path):
    import pandas

    for frame in pandas.read_csv(path, dtype=numpy.float32, chunksize=1000 * BATCH_ROWS):
        values = frame.to_numpy()
        for start in range(0, len(values), BATCH_ROWS):
            yield values[start : start + BATCH_ROWS]


READERS = {"csv": read_with_csv, "pandas": read_with_pandas}

parser = argparse.ArgumentParser()
parser.add_argument("--reader", choices=READERS, default="csv")
parser.add_argument("--threads", type=int, default=0)
parser.add_argument("model")
parser.add_argument("input")
parser.add_argument("output")
arguments = parser.parse_args()

session_options = onnxruntime.SessionOptions()
session_options.intra_op_num_threads = arguments.threads
session = onnxruntime.InferenceSession(arguments.model, session_options, providers=["CPUExecutionProvider"])
input_name = session.get_inputs()[0].name
output_names = [output.name for output in session.get_outputs()]

with open(arguments.output, "w") as file:
    row_number = 0
    for batch in READERS[arguments.reader](arguments.input):
        outputs = [output.tolist() for output in session.run(output_names, {input_name: batch})]
        for values in zip(*outputs):
            line = {"input_id": f"rec_{row_number:05}", "outputs": dict(zip(output_names, values))}
            file.write(json.dumps(line) + "\n")
            row_number += 1
