import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'

type Path = readonly (string | number)[]

/**
 * The text with the value at the path: in the place of the one that is there, or after the last of its
 * neighbours. The neighbours and their comments do not change; missing parents are created.
 */
export function putValue(text: string, at: Path, value: unknown): string {
  const there = find(text, at)
  const { unit, eol } = formatOf(text)
  const render = (value: unknown, depth: number) =>
    JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${unit.repeat(depth)}`)
  if (there) return splice(text, there.offset, endOf(there), render(value, at.length))
  const depth = at.findIndex((_, index) => find(text, at.slice(0, index + 1)) === undefined)
  const parent = find(text, at.slice(0, depth))
  if (!parent) throw new Error('The path has no parent for the value.')
  const name = at[depth]
  const json = render(wrap(at.slice(depth + 1), value), depth + 1)
  const item = typeof name === 'number' ? json : `${JSON.stringify(name)}: ${json}`
  const line = `${eol}${unit.repeat(depth + 1)}`
  const last = parent.children?.at(-1)
  if (last) return insertAfter(text, last, `${line}${item}`)
  const closing = `${eol}${unit.repeat(depth)}`
  const inside = text.slice(parent.offset + 1, endOf(parent) - 1).trimEnd()
  return splice(text, parent.offset + 1, endOf(parent) - 1, `${inside}${line}${item}${closing}`)
}

/** The text without the value at the path, and without its comma. */
export function cutValue(text: string, at: Path): string {
  const node = find(text, at)
  const target = node?.parent?.type === 'property' ? node.parent : node
  if (!target?.parent?.children) return text
  const siblings = target.parent.children
  const previous = siblings[siblings.indexOf(target) - 1]
  const end = endOf(target)
  const start = startOf(text, target)
  const after = findComma(text, end)
  if (after !== undefined) return splice(splice(text, after, after + 1, ''), start, end, '')
  if (previous === undefined) {
    const [space = ''] = isRemark(text.slice(0, start)) ? [] : (/^\s*/.exec(text.slice(end)) ?? [])
    return splice(text, start, end + space.length, '')
  }
  const before = findComma(text, endOf(previous))
  const rest = splice(text, start, end, '')
  return before === undefined ? rest : splice(rest, before, before + 1, '')
}

/** A comment on the line of the last value remains on that line. */
function insertAfter(text: string, last: Node, item: string): string {
  const comma = findComma(text, endOf(last))
  const at = comma === undefined ? endOf(last) : comma + 1
  const [remark = ''] =
    /^[ \t]*(\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/(?=[ \t]*\r?\n))/.exec(text.slice(at)) ?? []
  return comma === undefined
    ? splice(text, at, at + remark.length, `,${remark}${item}`)
    : splice(text, at, at + remark.length, `${remark}${item},`)
}

/** With the space before it, unless what follows would get into a remark by that. */
function startOf(text: string, { offset, length }: Node): number {
  const before = text.slice(0, offset).trimEnd()
  const endsLine = /^,?[ \t]*(\r?\n|$)/.test(text.slice(offset + length))
  return endsLine || !isRemark(before) ? before.length : offset
}

/** Whether the last line may be one that ends in a remark. */
function isRemark(text: string): boolean {
  return text.slice(text.lastIndexOf('\n') + 1).includes('//')
}

/** Where the comma after a value is; there is only space and remarks between. */
function findComma(text: string, from: number): number | undefined {
  const between = /^(\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*,/.exec(text.slice(from))
  return between ? from + between[0].length - 1 : undefined
}

function find(text: string, at: Path): Node | undefined {
  const tree = parseTree(text, [], { allowTrailingComma: true })
  return tree && findNodeAtLocation(tree, [...at])
}

function wrap(steps: Path, value: unknown): unknown {
  return steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value)
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

function splice(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to)
}

function formatOf(text: string) {
  const [, unit = '  '] = /^([ \t]+)\S/m.exec(text) ?? []
  return { unit, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}
