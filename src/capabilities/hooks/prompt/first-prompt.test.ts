import { expect } from 'vitest'
import { toDatabaseError } from '../../../kernel/db/database-error.ts'
import { callerFor } from '../../../kernel/testing/caller-for.ts'
import { begin, hook, hooksNeeds, onEachEngine } from '../hooks.fixture.ts'
import { submitFirstPrompt } from './submit-prompt.ts'

onEachEngine('the first prompt of a claimed session carries the start context once', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('The orchard gate needs a new hinge.')
  const submit = (more: object = {}) =>
    submitFirstPrompt(needs, { hook: hook(), userMessage: 'Paint the barn.', ...more })

  await begin(needs, { claimOnly: true })
  expect(await submit()).not.toHaveProperty('startContext')
  expect(await submit({ includeStart: true })).toMatchObject({
    startContext: expect.stringContaining('The orchard gate needs a new hinge.'),
  })
  expect(await submit({ includeStart: true })).not.toHaveProperty('startContext')
})

onEachEngine('a bypassed session and an internal call get no start context', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('The orchard gate needs a new hinge.')
  const prompt = { hook: hook({ internal: true }), userMessage: 'Hi', includeStart: true }

  expect(await submitFirstPrompt(needs, prompt)).not.toHaveProperty('startContext')
})

onEachEngine('the start context takes the permission of a session start', async (db) => {
  const { needs, remember } = await hooksNeeds(db)
  await remember('The orchard gate needs a new hinge.')
  const caller = callerFor('ada', 'readonly')
  const prompt = { hook: hook({ caller }), userMessage: 'Hi', includeStart: true }

  expect(await submitFirstPrompt(needs, prompt)).not.toHaveProperty('startContext')
})

onEachEngine('a prompt that a full disk does not store is answered all the same', async (db) => {
  const { needs } = await hooksNeeds(db)
  const recordActivity = () =>
    Promise.reject(toDatabaseError('database or disk is full', 'SQLITE_FULL'))
  const full = { ...needs, sessions: { ...needs.sessions, recordActivity } }

  expect(await submitFirstPrompt(full, { hook: hook(), userMessage: 'Paint it.' })).toMatchObject({
    ...{ engine: 'no-entity', sessionKnown: false },
    warnings: ['The disk is full: this prompt was not stored.'],
  })
})
