import { expect } from 'vitest'
import { extractCheckpoint } from './extract-checkpoint.ts'
import { begin, hook, hooksNeeds, onEachEngine } from './hooks.fixture.ts'

const id = { agentId: 'ada', sessionKey: 'one' }
const said = (words: string) => `User: ${words} ${'and on '.repeat(100)}`

onEachEngine('what was said so far is kept, and a new window begins', async (db) => {
  const { needs } = await hooksNeeds(db)
  await begin(needs)
  await needs.sessions.note(db, { ...id, harness: 'codex', project: '/p' }, { prompt: 'paint' })
  const extract = (transcript: string) => extractCheckpoint(needs, { hook: hook(), transcript })

  expect(await extract(said('paint'))).toEqual({ skipped: true })
  await extract(`${said('paint')}\nUser: too little`)

  expect(await needs.transcripts.find(db, id)).toMatchObject({
    ...{ content: said('paint').trim(), completedAt: null },
  })
  expect(await needs.transcripts.findCheckpoint(db, id)).toMatchObject({ triggerKind: 'explicit' })
  expect(await needs.sessions.findWindow(db, id)).toBe(undefined)
  expect(await needs.sessions.find(id)).toMatchObject({ runtimePath: 'plugin' })
})

onEachEngine('without the pipeline nothing is made of it', async (db) => {
  const given = await hooksNeeds(db)
  const settings = { ...given.needs.settings(), pipelineEnabled: false }
  const needs = { ...given.needs, settings: () => settings }

  expect(await extractCheckpoint(needs, { hook: hook(), transcript: said('paint') })).toEqual({
    skipped: true,
  })
  expect(await needs.transcripts.find(db, id)).toBe(undefined)
})
