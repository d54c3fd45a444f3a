import { expect, test } from 'vitest'
import { type CredentialStore, createCredentials } from './credentials.ts'

/** A store in memory. It resolves `$secret:NAME` and plain names, not its internal values. */
function memoryStore(values: Readonly<Record<string, string>>): CredentialStore {
  const internal = new Map<string, string>()
  return {
    resolve: async (reference) => values[reference.replace(/^\$secret:/, '')],
    internal: {
      read: async (name) => internal.get(name),
      write: async (name, value, expected) => {
        if (expected !== undefined && internal.get(name) !== expected) return false
        internal.set(name, value)
        return true
      },
      delete: async (name) => internal.delete(name),
    },
  }
}

function create(stores: readonly CredentialStore[] = []) {
  const names: string[] = []
  const variables: Readonly<Record<string, string>> = {
    MODEL_KEY: 'from environment',
    $secret: 'odd',
  }
  const credentials = createCredentials({
    variable: (name) => {
      names.push(name)
      return variables[name]
    },
  })
  for (const store of stores) credentials.stores.add(store)
  credentials.stores.seal()
  return { credentials, names }
}

const stored = { MODEL_KEY: 'from store', OTHER_KEY: 'other from store' }

test.each([
  ['$env:MODEL_KEY', 'from environment'],
  ['$env:OTHER_KEY', undefined],
  ['$env:', undefined],
  ['MODEL_KEY', 'from environment'],
  ['OTHER_KEY', 'other from store'],
  ['$secret:MODEL_KEY', 'from store'],
  ['$secret:ABSENT', undefined],
  ['ABSENT', undefined],
])('%s resolves to %s', async (reference, value) => {
  const { credentials } = create([memoryStore(stored)])

  expect(await credentials.resolve(reference)).toBe(value)
})

test.each([
  ['$env:MODEL_KEY', undefined],
  ['MODEL_KEY', 'from store'],
  ['$secret:MODEL_KEY', 'from store'],
  ['ABSENT', undefined],
])('without the environment %s resolves to %s and reads no variable', async (reference, value) => {
  const { credentials, names } = create([memoryStore(stored)])

  expect(await credentials.resolve(reference, { environment: false })).toBe(value)
  expect(names).toEqual([])
})

test('without a store only the environment is read', async () => {
  const { credentials } = create()

  expect(await credentials.resolve('MODEL_KEY')).toBe('from environment')
  expect(await credentials.resolve('$secret:MODEL_KEY')).toBeUndefined()
})

test('stores are read in order, and an unreadable store is not skipped', async () => {
  const failing = {
    ...memoryStore({}),
    resolve: () => Promise.reject(new Error('The store is locked.')),
  }
  const first = create([memoryStore({ A: 'first' }), failing]).credentials

  expect(await first.resolve('A')).toBe('first')
  await expect(first.resolve('B')).rejects.toThrow('locked')
})

test('a value is read again for each use', async () => {
  const values: Record<string, string> = { KEY: 'old' }
  const { credentials } = create([memoryStore(values)])
  await credentials.resolve('$secret:KEY')
  values['KEY'] = 'new'

  expect(await credentials.resolve('$secret:KEY')).toBe('new')
})

test('internal values are written conditionally, and no reference resolves to them', async () => {
  const { internal, resolve } = create([memoryStore({}), memoryStore({})]).credentials

  expect(await internal.read('LOGIN')).toBeUndefined()
  expect(await internal.write('LOGIN', 'one')).toBe(true)
  expect(await internal.write('LOGIN', 'two', 'zero')).toBe(false)
  expect(await internal.read('LOGIN')).toBe('one')
  expect(await internal.write('LOGIN', 'two', 'one')).toBe(true)
  expect(await resolve('LOGIN')).toBeUndefined()
  expect(await internal.delete('LOGIN')).toBe(true)
  expect(await internal.delete('LOGIN')).toBe(false)
})

test('internal values are refused without a store', async () => {
  const { internal } = create().credentials
  const refusal = expect.objectContaining({ kind: 'unavailable', code: 'secrets_unavailable' })

  await expect(internal.read('LOGIN')).rejects.toEqual(refusal)
  await expect(internal.write('LOGIN', 'one')).rejects.toEqual(refusal)
  await expect(internal.delete('LOGIN')).rejects.toEqual(refusal)
})
