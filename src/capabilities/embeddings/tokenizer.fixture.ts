import { readFile } from 'node:fs/promises'

const vocabulary = new URL('../../../models/static-en-256/vocabulary.txt', import.meta.url)

/** The vocabulary of the bundled model as a `tokenizer.json`. */
export async function readTokenizer() {
  const pieces = (await readFile(vocabulary, 'utf8')).trimEnd().split('\n')
  return {
    added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'].map((content) => ({
      id: pieces.indexOf(content),
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [toSpecial('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, toSpecial('[SEP]')],
      pair: [],
      special_tokens: {},
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
    },
  }
}

function toSpecial(id: string) {
  return { SpecialToken: { id, type_id: 0 } }
}
