import { resolve } from 'node:path'
import type { Client } from '../../client/client.ts'
import { CliError } from './failure.ts'

export interface AddOptions {
  readonly name?: string
  readonly exclude?: string[]
  readonly maxPages?: number
  readonly token?: string
  readonly types?: string[]
  readonly labels?: string[]
  readonly docs?: string[]
  readonly state?: string
  readonly maxItems?: number
  readonly channels?: string[]
  readonly maxMessages?: number
  readonly since?: string
  readonly mode?: string
  readonly attachmentText?: boolean
  readonly cacheFolder?: string
  readonly fullScan?: boolean
  /** False with `--no-comments`. */
  readonly comments?: boolean
  /** False with `--no-wait`. */
  readonly wait: boolean
}

interface AddRequest {
  readonly kind: string
  readonly targets: readonly string[]
  readonly options: AddOptions
}

interface Target {
  readonly targets: readonly string[]
  readonly options: AddOptions
}

const senders = {
  vault: (client: Client, { targets, options: { name, exclude } }: Target) => {
    const target = onlyTarget(targets, 'A vault has one folder. Add each folder by itself.')
    const body = {
      path: toPath(target),
      ...(name && { name }),
      ...(exclude && { excludeGlobs: exclude }),
    }
    return client.call('POST /api/sources/notes-vault', { body })
  },
  web: (client: Client, { targets, options: { name, maxPages } }: Target) => {
    const url = onlyTarget(targets, 'A web source has one URL. Add each URL by itself.')
    const body = { url, ...(name && { name }), ...(maxPages !== undefined && { maxPages }) }
    return client.call('POST /api/sources/web', { body })
  },
  'code-host': (client: Client, { targets, options }: Target) => {
    const { name, token, types, labels, docs, state, maxItems, comments } = options
    const body = {
      repos: [...targets],
      ...(name && { name }),
      ...(token && { tokenRef: token }),
      ...(types && { resourceTypes: types }),
      ...(labels && { labels }),
      ...(docs && { docPaths: docs }),
      ...(state && { state }),
      ...(maxItems !== undefined && { maxItemsPerRepo: maxItems }),
      ...(comments === false && { includeComments: false }),
    }
    return client.call('POST /api/sources/code-host', { body })
  },
  wiki: (client: Client, { targets, options: { name, maxPages } }: Target) => {
    const tokenRef = onlyTarget(targets, 'A wiki has one token. Add each by itself.')
    const body = { tokenRef, ...(name && { name }), ...(maxPages !== undefined && { maxPages }) }
    return client.call('POST /api/sources/wiki', { body })
  },
  chat: (client: Client, { targets, options }: Target) => {
    const { name, token, channels, maxMessages, since, mode, attachmentText } = options
    const { cacheFolder, fullScan } = options
    const body = {
      ...(targets.length > 0 && { guildIds: [...targets] }),
      ...(token && { tokenRef: token }),
      ...(name && { name }),
      ...(channels && { channelFilter: channels }),
      ...(maxMessages !== undefined && { maxMessagesPerChannel: maxMessages }),
      ...(since && { since }),
      ...(mode && { syncMode: mode }),
      ...(attachmentText && { includeAttachmentText: true }),
      ...(cacheFolder && { desktopCachePath: toPath(cacheFolder) }),
      ...(fullScan && { desktopCacheFullScan: true }),
    }
    return client.call('POST /api/sources/chat', { body })
  },
} as const

/** The services behind the kinds, as users call them. */
const services: Readonly<Record<string, keyof typeof senders>> = {
  github: 'code-host',
  notion: 'wiki',
  discord: 'chat',
}

/** Sends a source by the name of its kind or of its service. */
export function sendSource(client: Client, { kind: name, targets, options }: AddRequest) {
  const kind = services[name] ?? name
  if (!isKind(kind)) {
    const names = ['vault', 'web', ...Object.keys(services)].join(', ')
    throw new CliError('usage', 'usage', `${name} is no kind of source. Use one of: ${names}.`)
  }
  if (targets.length === 0 && options.mode !== 'desktop-cache')
    throw new CliError('usage', 'usage', `${name} needs a target. See reverie source add --help.`)
  return senders[kind](client, { targets, options })
}

/** The service expands `~`. */
const toPath = (path: string) => (/^~(?:$|\/)/.test(path) ? path : resolve(path))

function isKind(kind: string): kind is keyof typeof senders {
  return Object.hasOwn(senders, kind)
}

function onlyTarget([target = '', ...others]: readonly string[], message: string): string {
  if (others.length > 0) throw new CliError('usage', 'usage', message)
  return target
}
