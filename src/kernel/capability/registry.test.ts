import { expect, test } from 'vitest'
import { createExtensionPoint } from './extension-point.ts'
import { createRegistry } from './registry.ts'

test('a capability receives the context and the capabilities registered before it', () => {
  const registry = createRegistry<{ greeting: string }>()
    .add({ name: 'names' }, () => ({ routes: [], first: () => 'Ada' }))
    .add({ name: 'letters' }, ({ greeting }, { names }) => ({
      routes: [],
      write: () => `${greeting} ${names.first()}`,
    }))

  const { letters } = registry.build({ greeting: 'Dear' })

  expect(registry.modules.map(({ name }) => name)).toEqual(['names', 'letters'])
  expect(letters.write()).toBe('Dear Ada')
})

test('extension points are sealed after the last capability is constructed', () => {
  const registry = createRegistry<object>()
    .add({ name: 'lower' }, () => {
      const guests = createExtensionPoint<string>('lower.guests')
      return { guests, extensionPoints: [guests] }
    })
    .add({ name: 'higher' }, (_, { lower }) => {
      lower.guests.add('bob')
      expect(() => lower.guests.list()).toThrow('lower.guests is not sealed')
      return {}
    })

  const { guests } = registry.build({}).lower

  expect(guests.list()).toEqual(['bob'])
  expect(() => guests.add('late')).toThrow('lower.guests is sealed')
})
