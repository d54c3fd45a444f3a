import { constants, type Dirent } from 'node:fs'
import { lstat, mkdir, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { readFields, toFrontmatter } from '../frontmatter.ts'
import { readSkillFile } from '../installed.ts'
import { addEntry, assertEntryName, PackageRejected, type PackageTotals } from './limits.ts'

/**
 * Copies a package into a new folder. Rejects everything but plain files and folders within the
 * limits. A file is checked again once it is open.
 */
export async function copyPackage(
  source: string,
  target: string,
  expectedName: string,
): Promise<void> {
  if (!(await lstat(source)).isDirectory()) throw new PackageRejected('it is not a folder')
  await assertDescribed(source, expectedName)
  await copyFolder(source, target, { files: 0, bytes: 0, depth: 1 })
}

async function assertDescribed(folder: string, expectedName: string): Promise<void> {
  const text = await readSkillFile(folder)
  if (text === undefined) throw new PackageRejected('SKILL.md is no regular file of at most 1 MiB')
  const fields = readFields(text)
  if (!fields || toFrontmatter(fields).description === '')
    throw new PackageRejected('SKILL.md has no readable frontmatter with a description')
  const { name = expectedName } = fields
  if (name !== expectedName) throw new PackageRejected(`its name is not '${expectedName}'`)
}

async function copyFolder(source: string, target: string, totals: PackageTotals): Promise<void> {
  await mkdir(target, { mode: 0o700 })
  const names = new Set<string>()
  for await (const entry of await opendir(source)) {
    assertEntryName(entry.name, names)
    await copyEntry(entry, { source, target, totals })
  }
}

interface Place {
  readonly source: string
  readonly target: string
  readonly totals: PackageTotals
}

async function copyEntry(entry: Dirent, { source, target, totals }: Place): Promise<void> {
  const [from, to] = [join(source, entry.name), join(target, entry.name)]
  if (entry.isDirectory()) {
    const inner = { ...totals, depth: totals.depth + 1 }
    addEntry(inner, 0)
    await copyFolder(from, to, inner)
    totals.files = inner.files
    totals.bytes = inner.bytes
  } else if (entry.isFile()) await copyFile(from, to, totals)
  else throw new PackageRejected('it contains a link, a device or a pipe')
}

async function copyFile(from: string, to: string, totals: PackageTotals): Promise<void> {
  const input = await open(from, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    const stats = await input.stat()
    if (!stats.isFile()) throw new PackageRejected('it contains a link, a device or a pipe')
    if (stats.nlink > 1) throw new PackageRejected('it contains a file with several names')
    addEntry(totals, stats.size)
    const isExecutable = (stats.mode & 0o100) !== 0
    const output = await open(to, 'wx', isExecutable ? 0o700 : 0o600)
    try {
      const content = Buffer.alloc(stats.size)
      const { bytesRead } = await input.read(content, 0, stats.size, 0)
      await output.writeFile(content.subarray(0, bytesRead))
      await output.sync()
    } finally {
      await output.close()
    }
  } finally {
    await input.close()
  }
}
