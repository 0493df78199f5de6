"""What is known of languages: words, scripts, sentences, mentions, BM25."""
