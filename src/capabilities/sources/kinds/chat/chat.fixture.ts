import { onTestFinished } from 'vitest'
import { guildId, startFakeChat } from '../../../../../test/support/fake-chat.ts'
import { sourcesSettings } from '../../config.ts'
import type { SourceEntry } from '../../source.ts'
import { ada } from '../../sources.fixture.ts'
import { syntheticToken } from '../remote-kind.contract.ts'
import { type ChatRequest, draftChat } from './settings.ts'

const { agentId } = ada
const tokenRef = 'SYNTHETIC_TOKEN'
export const path = `chat://guild/${guildId}`

/** A server of a fake chat, and the options that lead to it. */
export async function chat() {
  const origin = await startFakeChat(syntheticToken)
  onTestFinished(() => origin.stop())
  const config = () => sourcesSettings.schema.parse({ chat: { apiUrl: origin.url } })
  return { origin, options: { config } }
}

export const draft = (request: Partial<ChatRequest> = {}, existing?: SourceEntry) =>
  draftChat({ agentId, tokenRef, guildIds: [guildId], ...request }, existing)

export const ids = {
  one: '200000000000000001',
  two: '200000000000000002',
  three: '200000000000000003',
}
export const day = '2026-03-05'
export const at = (time: string) => `${day}T${time}:00.000Z`
