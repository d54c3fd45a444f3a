import { expect, test } from 'vitest'
import { findPrototypeKey } from './find-prototype-key.ts'

test.each([
  ['{"__proto__":{}}', '__proto__'],
  ['{"a":[{"\\u005f_proto__":null}]}', '__proto__'],
  ['{"a":{"constructor":{"prototype":{}}}}', 'constructor.prototype'],
  ['{"a":{"\\u0063onstructor":{"prototype":1}}}', 'constructor.prototype'],
  ['{"constructor":{"name":"x"},"prototype":{}}', undefined],
  ['{"constructor":"prototype","toString":1}', undefined],
  ['{"text":"__proto__"}', undefined],
  ['["__proto__",null,7]', undefined],
  ['"__proto__"', undefined],
])('the prototype key in %s is %s', (json, key) => {
  expect(findPrototypeKey(JSON.parse(json))).toBe(key)
})
