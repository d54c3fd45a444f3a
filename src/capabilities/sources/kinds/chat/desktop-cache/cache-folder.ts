import { lstat, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { findFolder } from '../../../../../kernel/files/find-folder.ts'
import { invalid } from '../../../refusals.ts'

/** Names of the data folders of the desktop app. */
const appNames = new Set(['discord', 'discordcanary', 'discordptb', 'discorddevelopment'])

/** Data folders of the desktop app below the home of the user, by platform. */
const defaultFolders: Readonly<Record<string, readonly string[]>> = {
  darwin: ['Library/Application Support/discord'],
  win32: ['AppData/Roaming/discord'],
}
const linuxFolders = [
  '.config/discord',
  '.var/app/com.discordapp.Discord/config/discord',
  'snap/discord/current/.config/discord',
]

interface FolderRequest {
  readonly path: string | undefined
  readonly home: string
  readonly platform: string
}

/** The data folder of the desktop app. Refuses other folders, so that no caller reads them. */
export async function findAppFolder({ path, home, platform }: FolderRequest): Promise<string> {
  const given = path ?? (await findDefault(home, platform))
  if (given === undefined)
    throw invalid('No data of the desktop app was found. Name its folder in desktopCachePath.')
  const folder = await realpath(await findFolder(given, home, 'desktopCachePath'))
  if (!appNames.has(basename(folder).toLowerCase()))
    throw invalid(
      `desktopCachePath must be the data folder of the desktop app, such as ~/.config/discord, not ${folder}.`,
    )
  return folder
}

async function findDefault(home: string, platform: string): Promise<string | undefined> {
  for (const folder of defaultFolders[platform] ?? linuxFolders) {
    const path = join(home, folder)
    if (await isFolder(path)) return path
  }
  return undefined
}

/** The folder of the cache in the data folder; undefined without one. Links are not followed. */
export async function findCacheFolder(root: string): Promise<string | undefined> {
  const cache = join(root, 'Cache')
  if (!(await isFolder(cache))) return undefined
  const data = join(cache, 'Cache_Data')
  return (await isFolder(data)) ? data : cache
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory()
  } catch (error) {
    if (Object(error).code === undefined) throw error
    return false
  }
}
