import { languages } from './language.ts'
import { findPhrases } from './phrases.ts'
import type { Sentence } from './sentences.ts'
import type { Subject } from './statement.ts'
import type { NameIndex } from './subjects.ts'

interface Speech {
  /** The speaker, whom `I` means; undefined if unknown. */
  readonly own: Subject | undefined
  readonly index: NameIndex
}

/** Why the rules read nothing in a sentence. */
type Reason = 'question' | 'noStatement' | 'unknownSpeaker' | 'noSubject'

/** Why no frame matches a sentence. */
export function skipReasonOf({ tokens }: Sentence, { own, index }: Speech): Reason {
  if (tokens.some(({ text }) => /^[?？؟]$/.test(text))) return 'question'
  if (tokens.some(({ lower }) => index.has(lower))) return 'noStatement'
  const isOwn = languages.some((language) =>
    [language.firstPerson, language.firstPossessive].some(
      (phrases) => findPhrases(tokens, phrases).length > 0,
    ),
  )
  if (!isOwn) return 'noSubject'
  return own ? 'noStatement' : 'unknownSpeaker'
}
