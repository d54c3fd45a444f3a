import { toPhrase } from '../name.ts'
import type { FocalLink } from '../store/focal.ts'
import type { Focus } from './find-focus.ts'

/** A question with another name of what it names. */
export interface Reading {
  readonly text: string
  /** 1 for another name of the same entity, less for an entity that a link leads to. */
  readonly share: number
  readonly reason: string
}

/** What a link leads to is less certain than what the question names. */
const linkShare = 0.9
const maxLinked = 2
/** With more links of a type the question means none of them. */
export const maxRequested = 4

/** The question with the names of the entities whose aliases it uses. */
export function readByName(text: string, focal: readonly Focus[]): Reading | undefined {
  const phrases = focal.flatMap(({ isExact, matches }) => (isExact ? matches : []))
  const isWhole = (alias: string) =>
    !phrases.some((phrase) => phrase !== alias && ` ${phrase} `.includes(` ${alias} `))
  const renamed = focal.flatMap(({ aliases, matches, name }) =>
    matches.includes(toPhrase(name))
      ? []
      : aliases.filter(isWhole).map((alias) => ({ alias, name })),
  )
  const reading = renamed.reduce((rest, { alias, name }) => replaceName(rest, alias, name), text)
  if (reading === text) return undefined
  const reason = renamed.map(({ alias, name }) => `"${alias}" is ${name}`).join(', ')
  return { text: reading, share: 1, reason }
}

interface Requested {
  /** The question with the names of its entities. */
  readonly text: string
  readonly focal: readonly Focus[]
  /** Links that the question asks for. */
  readonly links: readonly FocalLink[]
}

/** A reading with the entity that a link leads to, for each of the strongest links. */
export function readByLink({ focal, links, text }: Requested): ReadonlyMap<string, Reading> {
  const names = new Map(focal.map(({ id, name }) => [id, name]))
  const readings = links.flatMap(({ dependencyType, fromId, toId, toName }) => {
    const name = names.get(fromId) ?? ''
    const reading = replaceName(text, toPhrase(name), toName)
    const reason = `${name} ${dependencyType} ${toName}`
    return reading === text ? [] : [[toId, { text: reading, share: linkShare, reason }] as const]
  })
  return new Map(readings.slice(0, maxLinked))
}

const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

/** Replaces a phrase that occurs as a whole, however its words are separated. */
function replaceName(text: string, phrase: string, name: string): string {
  if (phrase === '') return text
  const words = phrase.split(' ').join(String.raw`(?:['’]s)?[^\p{L}\p{N}\p{M}]+`)
  const pattern = unspaced.test(phrase)
    ? words
    : String.raw`(?<![\p{L}\p{N}\p{M}])${words}(?![\p{L}\p{N}\p{M}])`
  return text.replace(new RegExp(pattern, 'giu'), () => name)
}
