import type { Dictionary } from './en.ts'
import { basics } from './zh/basics.ts'
import { frame } from './zh/frame.ts'
import { home } from './zh/home.ts'
import { memories } from './zh/memories.ts'

export const zh: Dictionary = { ...basics, ...frame, home, memories }
