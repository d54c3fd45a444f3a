import { callMembers, createExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Log } from '../../kernel/log/log.ts'
import type {
  EntitiesPort,
  NoticesPort,
  PluginsPort,
  SecretsPort,
  SkillInvocationsPort,
  UpdateNotice,
} from './needs.ts'

type Extensions = ReturnType<typeof createExtensions>

/** Extension points for the texts of hooks. */
export function createExtensions() {
  return {
    entities: createExtensionPoint<EntitiesPort>('hooks.entities'),
    notices: createExtensionPoint<NoticesPort>('hooks.notices'),
    promptContributions: createExtensionPoint<PluginsPort>('hooks.promptContributions'),
    secretNames: createExtensionPoint<SecretsPort>('hooks.secretNames'),
    skillInvocations: createExtensionPoint<SkillInvocationsPort>('hooks.skillInvocations'),
    updateNotice: createExtensionPoint<UpdateNotice>('hooks.updateNotice'),
  }
}

/** The members of each point as one. */
export function readExtensions(points: Extensions, log: Log) {
  const { entities, notices, promptContributions, secretNames, skillInvocations, updateNotice } =
    points
  const entitySource: EntitiesPort = {
    findNamed: async (reader, phrases) =>
      (await callMembers(entities, log, (source) => source.findNamed(reader, phrases))).flat(),
    listAttributes: async (reader, entityId) =>
      (
        await callMembers(entities, log, (source) => source.listAttributes(reader, entityId))
      ).flat(),
    findFocal: async (reader, project) => {
      const focal = await callMembers(entities, log, (source) => source.findFocal(reader, project))
      return {
        memoryIds: focal.flatMap(({ memoryIds }) => memoryIds),
        constraints: focal.flatMap(({ constraints }) => constraints),
      }
    },
  }
  return {
    entities: entitySource,
    notices: {
      list: async (reader) =>
        (await callMembers(notices, log, (source) => source.list(reader))).flat(),
    } satisfies NoticesPort,
    plugins: {
      listContributions: async (target) =>
        (
          await callMembers(promptContributions, log, (source) => source.listContributions(target))
        ).flat(),
    } satisfies PluginsPort,
    secrets: {
      listNames: async () =>
        (await callMembers(secretNames, log, (source) => source.listNames())).flat(),
    } satisfies SecretsPort,
    skillInvocations: {
      // A use that cannot be saved fails the call.
      save: async (invocation) => {
        const saved = await Promise.all(
          skillInvocations.list().map((store) => store.save(invocation)),
        )
        return saved.includes(true)
      },
    } satisfies SkillInvocationsPort,
    updateNotice: () =>
      updateNotice
        .list()
        .map(({ line }) => line())
        .filter((line) => line !== '')
        .join('\n'),
  }
}
