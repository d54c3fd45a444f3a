const maxSentenceLength = 300

/** A text from outside, divided for extraction. */
export interface DividedText {
  readonly sentences: readonly string[]
  /** The contents of fenced blocks. */
  readonly blocks: readonly string[]
}

const fence = /^\s*(?:```|~~~)/
/** Headings, quotations, table rows and indented code. */
const excludedLine = /^(?:#|>|\||\t| {4})/
const speaker = /^(?:User|Assistant|System|Tool): /
const listMark = /^\s*(?:[-*+]|\d+[.)])\s+/
const hypothesis =
  /^(?:if|when|while|unless|because|although|since|maybe|perhaps|suppose)(?![\p{L}\p{N}])|^(?:如果|假如|要是|当|因为|虽然|也许|可能|或许)/iu
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Sentences that state something, and fenced blocks. Each sentence occurs in the text exactly. */
export function divideText(text: string): DividedText {
  const { prose, blocks } = divideLines(text.split(/\r?\n/).flatMap(splitFences))
  return { sentences: prose.flatMap(listStatements), blocks }
}

function divideLines(lines: readonly string[]) {
  const prose: string[] = []
  const blocks: string[] = []
  let block: string[] | undefined
  for (const line of lines) {
    if (fence.test(line)) {
      if (block) blocks.push(block.join('\n'))
      block = block ? undefined : []
    } else (block ?? prose).push(line)
  }
  return { prose: prose.filter((line) => !excludedLine.test(line)), blocks }
}

/** Transcripts have a turn in one line, with its fences. Gives each fence a line of its own. */
function splitFences(line: string): string[] {
  const parts = line.split('```')
  if (parts.length <= 2) return [line]
  return parts.flatMap((part, index) =>
    index % 2 === 0 ? [part] : ['```', part.replace(/^\s*json\s+/i, '').trim(), '```'],
  )
}

function listStatements(line: string): string[] {
  const prose = line.replace(speaker, '').replace(listMark, '')
  return [...segmenter.segment(prose)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => isStatement(sentence))
}

function isStatement(sentence: string): boolean {
  return (
    sentence !== '' &&
    sentence.length <= maxSentenceLength &&
    !/[?？]["'”’)]*$/.test(sentence) &&
    !sentence.includes('://') &&
    !hypothesis.test(sentence)
  )
}
