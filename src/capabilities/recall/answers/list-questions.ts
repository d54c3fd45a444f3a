import { fold } from '../../../search/index.ts'

/** The forms of a question for several things, folded. */
const forms = {
  en: String.raw`(?:which|what) (?:[\p{L}-]{1,30} )?(?!does |goes )(?:[\p{L}-]{2,30}[^s\P{L}]s)(?= )|what (?:are|were) (?:the|our|all)|(?:everything|anything|all) (?:about|on|of|we know)|what do (?:we|you) know|list (?:all|the|every)|name all`,
  de: String.raw`welche(?= \p{L})|welches sind|alles (?:uber|zu|zum|zur)|was wissen wir|alle(?= \p{L})|liste`,
  es: 'cuales|que (?:[\\p{L}]{2,30}s)(?= )|todo (?:sobre|lo que)|tod[oa]s (?:los|las)|que sabemos|lista',
} as const
const spaced = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${Object.values(forms).join('|')})(?![\p{L}\p{N}])`,
  'u',
)
const chinese = /哪些|哪几|所有|全部|一切|有什么/u

export function isListQuestion(question: string): boolean {
  const text = fold(question)
  return spaced.test(text) || chinese.test(text)
}
