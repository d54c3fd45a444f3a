import type { ComponentType } from 'react'
import type { Dictionary } from './i18n/en.ts'
import type { IconName } from './widgets/icon.tsx'

type ScreenName = keyof Dictionary['screens'] & IconName

export interface ScreenEntry {
  readonly name: ScreenName
  /** The first path is the link in the navigation; the others lead to details. */
  readonly paths: readonly [string, ...string[]]
  readonly group: 'memory' | 'understanding' | 'inputs' | 'running'
  readonly load: () => Promise<{ readonly Page: ComponentType }>
  /** The letter after `g`. */
  readonly key?: string
}

/** Every screen in the order of the navigation. */
export const screens: readonly ScreenEntry[] = [
  {
    name: 'home',
    paths: ['/'],
    group: 'memory',
    load: () => import('./pages/home/home.tsx'),
    key: 'h',
  },
  {
    name: 'memories',
    paths: ['/ui/memories', '/ui/memories/:id'],
    group: 'memory',
    load: () => import('./pages/memories/memories.tsx'),
    key: 'm',
  },
  {
    name: 'sessions',
    paths: [
      '/ui/sessions',
      '/ui/sessions/:key',
      '/ui/sessions/:key/blackbox',
      '/ui/sessions/:key/summary',
    ],
    group: 'memory',
    load: () => import('./pages/sessions/sessions.tsx'),
    key: 's',
  },
  {
    name: 'knowledge',
    paths: ['/ui/knowledge', '/ui/knowledge/:entity', '/ui/knowledge/proposals/:id'],
    group: 'understanding',
    load: () => import('./pages/knowledge/knowledge.tsx'),
    key: 'k',
  },
  {
    name: 'dreaming',
    paths: ['/ui/dreaming', '/ui/dreaming/passes/:id'],
    group: 'understanding',
    load: () => import('./pages/dreaming/dreaming.tsx'),
    key: 'd',
  },
  {
    name: 'map',
    paths: ['/ui/map'],
    group: 'understanding',
    load: () => import('./pages/map/map.tsx'),
    key: 'p',
  },
  {
    name: 'sources',
    paths: ['/ui/sources', '/ui/sources/:id', '/ui/documents/:id', '/ui/imports/:id'],
    group: 'inputs',
    load: () => import('./pages/sources/sources.tsx'),
  },
  {
    name: 'extensions',
    paths: ['/ui/extensions', '/ui/skills/:name', '/ui/plugins/:id', '/ui/tasks/:id'],
    group: 'inputs',
    load: () => import('./pages/extensions/extensions.tsx'),
  },
  {
    name: 'inference',
    paths: ['/ui/inference', '/ui/inference/history/:id'],
    group: 'running',
    load: () => import('./pages/inference/inference.tsx'),
  },
  {
    name: 'agents',
    paths: ['/ui/agents'],
    group: 'running',
    load: () => import('./pages/agents/agents.tsx'),
  },
  {
    name: 'secrets',
    paths: ['/ui/secrets'],
    group: 'running',
    load: () => import('./pages/secrets/secrets.tsx'),
  },
  {
    name: 'operations',
    paths: ['/ui/operations', '/ui/operations/:view'],
    group: 'running',
    load: () => import('./pages/operations/operations.tsx'),
  },
  {
    name: 'settings',
    paths: ['/ui/settings', '/ui/settings/files/:name'],
    group: 'running',
    load: () => import('./pages/settings/settings.tsx'),
  },
]
