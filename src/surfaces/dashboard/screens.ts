import type { ComponentType } from 'react'
import type { IconName } from './widgets/icon.tsx'

export interface ScreenEntry {
  readonly name: IconName & ScreenName
  /** The first path is the link in the navigation; the others lead to details. */
  readonly paths: readonly [string, ...string[]]
  readonly group: 'memory' | 'understanding' | 'inputs' | 'running'
  readonly load: () => Promise<{ readonly Page: ComponentType }>
  /** The letter after `g`. */
  readonly key?: string
}

type ScreenName = 'home' | 'memories' | 'sessions' | 'knowledge' | 'dreaming' | 'sources'

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
    name: 'sources',
    paths: ['/ui/sources', '/ui/sources/:id', '/ui/documents/:id', '/ui/imports/:id'],
    group: 'inputs',
    load: () => import('./pages/sources/sources.tsx'),
  },
]
