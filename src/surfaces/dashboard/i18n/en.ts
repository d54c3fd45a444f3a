import { basics } from './en/basics.ts'
import { frame } from './en/frame.ts'
import { home } from './en/home.ts'
import { memories } from './en/memories.ts'

/** All user-visible strings. Every other language has this type. */
export const en = { ...basics, ...frame, home, memories }

export type Dictionary = typeof en
