const minNounLength = 6
const minVerbLength = 5
const endings = /(?:en|em|er|es|n|e|s|r)$/u
const verbForm =
  /^(?<prefix>(?:ab|an|auf|aus|ein|her|hin|mit|nach|um|vor|weg|zu|zuruck)?)(?<ge>(?:ge)?)(?<root>.{3,}?)e?t(?:e[mnrs]?)?$/u
const infinitive = /^(?<root>.{3,}?)(?<ending>en|(?<=e[lr])n)$/u

/** Possible base forms of an inflected, folded German word, the likeliest first. */
export function listGermanBases(word: string): readonly string[] {
  const nouns = word.length < minNounLength ? [] : [word.replace(endings, '')]
  return [...nouns, ...listInfinitives(word)].filter((base) => base !== word)
}

function listInfinitives(word: string): readonly string[] {
  const { prefix, ge, root } = (word.length >= minVerbLength && verbForm.exec(word)?.groups) || {}
  if (prefix === undefined || ge === undefined || root === undefined) return []
  return [`${prefix}${root}`, `${prefix}${ge}${root}`].flatMap((stem) => [`${stem}en`, `${stem}n`])
}

/** Usual forms of a folded German base form besides itself: a verb's third person and participle, or a plural. */
export function listGermanForms(word: string): readonly string[] {
  const root = infinitive.exec(word)?.groups?.['root']
  if (root === undefined) return [/e[lr]?$/u.test(word) ? `${word}n` : `${word}en`]
  const third = /[dt]$/u.test(root) ? `${root}et` : `${root}t`
  return [third, `ge${third}`]
}
