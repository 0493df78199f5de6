"""Encoders: text to vectors, with torch or onnxruntime, and the tokenizers they need."""
