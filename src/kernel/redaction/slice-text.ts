/**
 * The text between two indexes, without half of a surrogate pair at a cut. A character that the
 * cut divides is left out. Lone surrogates inside the text are replaced, because no database
 * stores them.
 */
export function sliceText(text: string, start: number, end: number): string {
  const first = isDivided(text, start) ? start + 1 : start
  const last = isDivided(text, end) ? end - 1 : end
  return text.slice(first, last).toWellFormed()
}

function isDivided(text: string, index: number): boolean {
  const [before, after] = [text.charCodeAt(index - 1), text.charCodeAt(index)]
  return before >= 0xd8_00 && before <= 0xdb_ff && after >= 0xdc_00 && after <= 0xdf_ff
}
