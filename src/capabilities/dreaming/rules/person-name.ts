/** Words for programs and roles, which are no part of a person's name. */
const machines: ReadonlySet<string> = new Set(
  'agent assistant bot system tool user human model llm ai daemon harness code cli mcp service admin unknown'.split(
    ' ',
  ),
)
const hanName = /^\p{Script=Han}{2,4}$/u
const personWord = /^\p{Lu}[\p{L}\p{M}'’.-]*$/u
/** Lowercase words between the names of a person. */
const particle =
  /^(?:van|von|der|den|de|del|della|da|di|du|la|le|el|al|bin|ibn|zu|ten|ter|y|e|af|av)$/

/** A full name of a person, not that of a program. */
export function isPersonName(name: string): boolean {
  const trimmed = name.trim()
  if (hanName.test(trimmed)) return true
  const words = trimmed.split(/\s+/)
  if (words.length < 2 || words.length > 5) return false
  if (words.some((word) => machines.has(word.toLowerCase()))) return false
  return words.every((word, index) => personWord.test(word) || (index > 0 && particle.test(word)))
}
