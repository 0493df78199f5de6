"""The table of features: what the head of a `dual` model reads of each sentence, named and explained one by one."""

#: Each feature with its meaning. "Similarity" is the cosine of two vectors.
FEATURES: dict[str, str] = {
    "names_similarity": "similarity of the sentence and the target's names",
    "lead_similarity": "similarity of the sentence and the target's lead",
    "names_near": "similarity of the neighbourhood (two sentences on each side in the section) and the target's names",
    "lead_near": "similarity of the neighbourhood and the target's lead",
    "names_section": "similarity of the section's mean vector and the target's names",
    "lead_section": "similarity of the section's mean vector and the target's lead",
    "names_title": "similarity of the section's title and the target's names",
    "lead_title": "similarity of the section's title and the target's lead",
    "names_before": "similarity of the sentence before, in the section, and the target's names",
    "names_after": "similarity of the sentence after, in the section, and the target's names",
    "names_page": "similarity of the page's mean vector and the target's names",
    "lead_page": "similarity of the page's mean vector and the target's lead",
    "title_shared": "share of the words of the target's names that stand in the section's title",
    "mention_exact": "the sentence has one of the target's names, letter by letter",
    "mention_folded": "the sentence has one of the target's names, in another case or style at most",
    "mention_near": "the sentence has one of the target's names, in an inflected form at most",
    "mention_length": "letters of the longest mention in the sentence, as n / (n + 20)",
    "mention_is_link": "every mention in the sentence stands in a link to somewhere else",
    "mention_is_first": "no sentence before this one has a mention, and this one has",
    "mention_around": "share of the neighbourhood's sentences with a mention",
    "mentions_in_page": "log of 1 + how many of the page's sentences have a mention",
    "bm25_names": "BM25 of the target's names in the sentence",
    "bm25_lead": "BM25 of the target's lead in the sentence",
    "bm25_near": "BM25 of names and lead in the neighbourhood, as a mean",
    "link_words": "share of the words of the target's names, weighted by idf, that a link in the sentence has",
    "link_words_near": "mean of link_words over the neighbourhood",
    "link_words_section": "mean of link_words over the section",
    "link_path": "share of the parts of the target's folder in the address of a link in the sentence",
    "link_path_near": "mean of link_path over the neighbourhood",
    "link_path_section": "mean of link_path over the section",
    "beginning_shared": "letters that sentence and a name of the target begin with in common, as a share of the name",
    "order_before": "how well sorted the section's list is, if a name of the target would come right behind this line",
    "order_after": "how well sorted the section's list is, if a name of the target would come right before this line",
    "precedents": "log of 1 + in how many other languages this page links the target (its precedents)",
    "precedent_sentence": "similarity of the sentence and the one that has the link in another language, the highest",
    "precedent_before": "similarity of the sentence and the one before a precedent, the highest",
    "precedent_after": "similarity of the sentence and the one behind a precedent, the highest",
    "precedent_near": "similarity of the neighbourhood and of a precedent's, the highest",
    "precedent_title": "similarity of the section's title and that of a precedent's section, the highest",
    "precedent_place": "distance of the sentence's place in the page from a precedent's in its own, the least, as −d",
    "precedent_section_place": "distance of the section's place in the page from that of a precedent's, likewise",
    "precedent_within_section": "distance of the sentence's place in the section from a precedent's, likewise",
    "precedent_size": "log of how much longer the longer page is, this one or a precedent's, likewise",
    "target_mentions": "log of how many names the target has",
    "target_lead_length": "log of 1 + the letters of the target's lead",
    "place_in_page": "the sentence's place in the page, from 0 to 1",
    "place_in_section": "the sentence's place in its section, from 0 to 1",
    "sentences_before": "log of 1 + how many sentences of the section stand before it",
    "sentences_after": "log of 1 + how many sentences of the section stand after it",
    "is_first_of_section": "the sentence is the first of its section",
    "is_last_of_section": "the sentence is the last of its section",
    "is_last_of_page": "the sentence is the last of the page",
    "section_size": "log of 1 + how many sentences the section has",
    "section_place": "the section's place in the page, from 0 to 1",
    "is_last_section": "the section is the last one with sentences",
    "section_level": "the level of the section's heading",
    "is_lead": "the section is the lead",
    "page_size": "log of 1 + how many sentences the page has",
    "page_sections": "log of 1 + how many sections the page has",
    "length": "log of 1 + the sentence's letters",
    "is_short": "the sentence has less than 60 letters",
    "is_list_item": "the sentence is a short line without a full stop at its end, as in a list",
    "list_share": "share of the section's sentences that are such lines",
    "ends_with_colon": "the sentence ends with a colon",
    "has_digits": "the sentence has a digit",
    "is_item_before": "the sentence before it, in the section, is such a line",
    "is_item_after": "the sentence after it, in the section, is such a line",
    "begins_paragraph": "the sentence is the first of a paragraph or line",
    "ends_paragraph": "the sentence is the last of a paragraph or line",
    "paragraph_size": "log of 1 + how many sentences the paragraph has",
    "paragraphs_in_section": "share of the section's sentences that end a paragraph or line",
    "links": "log of 1 + how many links the sentence has",
    "links_near": "mean number of links of a sentence in the neighbourhood",
    "links_in_section": "share of the section's sentences that have a link",
    "link_share": "share of the sentence's letters that are linked",
    "begins_with_link": "the sentence begins with a link",
    "is_link_alone": "nearly all of the sentence is a link",
    "links_alone_in_section": "share of the section's sentences that are almost entirely a link",
}

#: The features that a head also reads in comparison with the page's other sentences.
COMPARED = (
    "names_similarity",
    "lead_similarity",
    "names_near",
    "lead_near",
    "names_section",
    "lead_section",
    "names_title",
    "lead_title",
    "bm25_names",
    "bm25_lead",
    "bm25_near",
    "link_words",
    "link_words_near",
    "link_path",
    "beginning_shared",
    "mention_length",
    "precedent_sentence",
    "precedent_before",
    "precedent_after",
    "precedent_near",
    "precedent_title",
    "precedent_place",
)

#: How they are compared.
COMPARISONS: dict[str, str] = {
    "to_mean": "the feature, less its mean over the page, in standard deviations",
    "to_best": "the feature, less its highest value in the page",
    "rank": "the share of the page's sentences that have a higher value",
    "in_section": "the feature, less its highest value in the section",
    "of_section": "the highest value in the section, less the highest value in the page",
}

#: How many directions of its encoder's vectors a head reads, of sentences and of sections' titles.
SENTENCE_AXES, TITLE_AXES = 16, 12
AXES = tuple(
    f"{text}_axis_{number}"
    for text, count in (("sentence", SENTENCE_AXES), ("title", TITLE_AXES))
    for number in range(1, count + 1)
)

NAMES: tuple[str, ...] = (*FEATURES, *(f"{name}_{how}" for name in COMPARED for how in COMPARISONS), *AXES)
#: The features that are 0 where no other language's version of the page links the target.
PRECEDENT_COLUMNS = [number for number, name in enumerate(NAMES) if name.startswith("precedent")]
#: What the head for *nowhere* reads of a page: the best and the mean of each of these.
PAGE_NAMES: tuple[str, ...] = (
    *(f"{name}_{how}" for name in COMPARED for how in ("best", "mean")),
    *("mentions_in_page", "precedents", "page_size", "page_sections", "target_mentions", "target_lead_length"),
)
