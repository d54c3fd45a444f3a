import type { Host } from '../../../kernel/host/host.ts'
import { sliceText } from '../../../kernel/redaction/slice-text.ts'

/** Marks text from outside, so that a model takes it as material and not as instructions. */
export interface Fence {
  /** The name of the element, with the random mark of this pass. */
  readonly name: string
  wrap(text: string, attributes: Readonly<Record<string, string | null>>): string
}

const markLength = 16
const maxAttribute = 200

export function createFence({ random }: Pick<Host, 'random'>): Fence {
  const digits = Array.from({ length: markLength }, () => Math.floor(random() * 16).toString(16))
  const mark = digits.join('')
  const name = `evidence-${mark}`
  const escapeText = (text: string) =>
    text
      .toWellFormed()
      .replaceAll(mark, '…')
      // A look-alike of the fence stays readable and closes nothing.
      .replaceAll(/<(?=[\s/]{0,4}evidence)/giu, '‹')
      .replaceAll('\0', '')
  return {
    name,
    wrap: (text, attributes) => {
      const fields = Object.entries(attributes)
        .filter(([, value]) => value !== null && value !== '')
        .map(([key, value]) => ` ${key}="${toAttribute(String(value), mark)}"`)
      return `<${name}${fields.join('')}>\n${escapeText(text)}\n</${name}>`
    },
  }
}

function toAttribute(text: string, mark: string): string {
  return sliceText(text.replaceAll(mark, '…').replaceAll(/[<>"\s\p{C}]+/gu, ' '), 0, maxAttribute)
}
