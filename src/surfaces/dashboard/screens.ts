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

type ScreenName = 'home' | 'memories'

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
]
