const vowel = /[aeiouy]/
const shortest = 4

/** Brings English forms of one word together; no more than that, and nothing but plain letters. */
export function stem(word: string): string {
  if (word.length < shortest || !/^[a-z]+$/.test(word)) return word
  const singular = dropPlural(word)
  const base = dropEnding(singular)
  return base.length >= shortest && base.endsWith('e') ? base.slice(0, -1) : base
}

function dropPlural(word: string): string {
  if (/[^aeiou]ies$/.test(word) && word.length > shortest) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word
}

function dropEnding(word: string): string {
  if (/[^aeiou]ied$/.test(word)) return `${word.slice(0, -3)}y`
  const base = /^(?<base>.{3,}?)(?:ing|ed)$/.exec(word)?.groups?.['base']
  if (base === undefined || !vowel.test(base)) return word
  return /([^aeioulsz])\1$/.test(base) ? base.slice(0, -1) : base
}
