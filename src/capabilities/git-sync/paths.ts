import { lstat } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { hasCode } from '../../kernel/errors/system-error.ts'

/** Files of the service itself, and files that usually hold credentials. */
const protectedPatterns: readonly (readonly [pattern: RegExp, ignoreLine: string])[] = [
  [/^\.daemon(?:\/|$)/i, '/.daemon/'],
  [/^\.secrets(?:\/|$)/i, '/.secrets/'],
  [/^runtime(?:\/|$)/i, '/runtime/'],
  [/^search(?:\/|$)/i, '/search/'],
  [/^backups(?:\/|$)/i, '/backups/'],
  [/^logs(?:\/|$)/i, '/logs/'],
  [/^versions(?:\/|$)/i, '/versions/'],
  [/\.db$/i, '*.db'],
  [/\.db-[^/]*$/i, '*.db-*'],
  [/\.log$/i, '*.log'],
  [/(?:^|\/)[^/]*\.lock(?:\/|$)/i, '*.lock/'],
  [/(?:^|\/)\.next-[^/]*(?:\/|$)/i, '.next-*'],
  [/(?:^|\/)\.env[^/]*(?:\/|$)/i, '.env*'],
  [/\.pem$/i, '*.pem'],
  [/\.key$/i, '*.key'],
  [/\.p12$/i, '*.p12'],
  [/(?:^|\/)id_rsa[^/]*$/i, 'id_rsa*'],
  [/(?:^|\/)id_ed25519[^/]*$/i, 'id_ed25519*'],
]

export interface ProtectedPaths {
  has(path: string): boolean
  /** The lines of `.gitignore`. */
  readonly ignoreLines: readonly string[]
}

/** Paths that are never committed, pushed or written. `extra` are folders, paths or globs. */
export function createProtectedPaths(extra: readonly string[]): ProtectedPaths {
  const excluded = extra.map((path) => path.replace(/\/+$/, '')).filter((path) => path !== '')
  return {
    has: (path) =>
      protectedPatterns.some(([pattern]) => pattern.test(path)) ||
      excluded.some((each) => path === each || isBelow(path, each) || matchesGlob(path, each)),
    ignoreLines: [...protectedPatterns.map(([, line]) => line), ...excluded],
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`)
}

const maxPathLength = 4_000
/** Also names that some file systems treat as `.git`. */
const unsafePart = /^(?:\.{0,2}|\.git|git~\d+)$/i
/** The last one stands for bytes that are not UTF-8. */
const unsafeCharacter = /[\p{Cc}\p{Bidi_Control}\\\ufffd]/u
const ignorableCharacters = /\p{Cf}/gu

/** Whether a path of a repository may be a file of the workspace. */
export function isSafePath(path: string): boolean {
  if (path.length > maxPathLength || unsafeCharacter.test(path)) return false
  return path.split('/').every((part) => !unsafePart.test(part.replaceAll(ignorableCharacters, '')))
}

/** Watched by the automatic commit. */
export const watchedFolders = ['memory', 'agents', 'skills', 'transcripts'] as const
const watchedFiles = /^(?:\.gitignore|[^/]+\.(?:md|yaml))$/

export function isWatched(path: string): boolean {
  return watchedFolders.some((folder) => isBelow(path, folder)) || watchedFiles.test(path)
}

const generatedFile = /^(?:agents\/[^/]+\/)?MEMORY\.md$/

/** Files that the service generates from its rows. */
export function isGenerated(path: string): boolean {
  return generatedFile.test(path)
}

const copyPattern = /\.conflict-[0-9a-f]{8}(?:\.[^./]*)?$/

/** `notes/plan.md` → `notes/plan.conflict-0a1b2c3d.md` */
export function toCopyPath(path: string, commit: string): string {
  const [, stem = path, extension = ''] = /^(.*[^/])(\.[^./]+)$/.exec(path) ?? []
  return `${stem}.conflict-${commit.slice(0, 8)}${extension}`
}

export function isConflictCopy(path: string): boolean {
  return copyPattern.test(path)
}

/** The file that a conflict copy is about. */
export function toOriginalPath(copy: string): string {
  return copy.replace(/\.conflict-[0-9a-f]{8}(?=(?:\.[^./]*)?$)/, '')
}

/** A parent that is a link or a file would lead the write out of its place. */
export async function hasPlainParents(folder: string, path: string): Promise<boolean> {
  const parts = path.split('/').slice(0, -1)
  let parent = folder
  for (const part of parts) {
    parent = join(parent, part)
    try {
      if (!(await lstat(parent)).isDirectory()) return false
    } catch (error) {
      return hasCode(error, 'ENOENT')
    }
  }
  return true
}
