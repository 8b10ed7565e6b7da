"""The small problems of datasets/conformance with every expected residual, from the definitions alone."""
