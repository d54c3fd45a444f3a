import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const maxMembers = 6
const needs = globSync('src/capabilities/*/needs.ts')

/** A use of an interface of another capability, with the members that it takes. */
interface Use {
  readonly type: string
  readonly members: number
}

test.each(needs)('%s takes at most six members of each interface of another capability', (file) => {
  const tooWide = listUses(file).filter(({ members }) => members > maxMembers)

  expect(tooWide, 'Pick the members that are called, or split the interface.').toEqual([])
})

test.each(needs)('%s names what it needs, not what it omits', (file) => {
  expect(readFileSync(file, 'utf8')).not.toMatch(/\bOmit</)
})

test('uses are counted in every form', () => {
  const index = `export type TeaCapability = ReturnType<typeof createTea>
    export type TeaCups = Pick<TeaCapability, 'fill' | 'wash'>`
  const text = `tea: Pick<TeaCapability, 'a' | 'b' | 'c'>
    pot: Pick<TeaCapability['pot'], 'pour'> & TeaCups
    all: TeaCapability`

  expect(countUses(text, index, ['TeaCapability', 'TeaCups', 'TeaConfig'])).toEqual([
    { type: 'TeaCapability', members: 3 },
    { type: 'TeaCapability', members: 1 },
    { type: 'TeaCapability', members: Number.POSITIVE_INFINITY },
    { type: 'TeaCups', members: 2 },
  ])
})

function listUses(file: string): Use[] {
  const text = readFileSync(file, 'utf8')
  const imports = text.matchAll(/import type \{([^}]*)\} from '(\.\.\/\w+\/index\.ts)'/g)
  const body = text.replaceAll(/^import[\s\S]*?from '.*'\n/gm, '')
  return [...imports].flatMap(([, names = '', path = '']) =>
    countUses(body, readFileSync(join(dirname(file), path), 'utf8'), names.match(/\w+/g) ?? []),
  )
}

/** Interfaces of a capability are the types that its index declares; it re-exports all data types. */
function countUses(text: string, index: string, types: readonly string[]): Use[] {
  return types.flatMap((type) => {
    const declaration = new RegExp(`export type ${type} =([\\s\\S]*?)(?=\\n\\n|\\n\\s*export |$)`)
    const [, declared] = declaration.exec(index) ?? []
    if (declared === undefined) return []
    const use = new RegExp(`(Pick<\\s*)?\\b${type}\\b(?:\\['\\w+'\\])?(?:,([^>]*)>)?`, 'g')
    return [...text.matchAll(use)].map(([, pick, members = '']) => ({
      type,
      members: pick === undefined ? countNames(declared) : countNames(members),
    }))
  })
}

/** Names in quotation marks; without any, all members are taken. */
function countNames(text: string): number {
  return text.match(/'\w+'/g)?.length ?? Number.POSITIVE_INFINITY
}
