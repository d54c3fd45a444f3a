import { commandEnvironment } from '../../../kernel/process/environment.ts'
import { findProgram } from '../../../kernel/process/find-program.ts'
import { type ProcessNeeds, runProcess } from '../../../kernel/process/run-process.ts'
import { sourcesRefusal } from '../refusals.ts'

export interface PickerNeeds extends ProcessNeeds {
  /** The environment of the daemon. */
  readonly variables: () => Readonly<Record<string, string>>
  readonly platform: NodeJS.Platform
}

interface PickRequest {
  readonly kind: 'directory' | 'files'
  readonly title?: string | undefined
  readonly signal: AbortSignal
}

interface Dialog {
  readonly command: string
  readonly args: readonly string[]
}

const timeoutMs = 120_000
const maxPaths = 25
/** What a program of the desktop needs to open a window. */
const desktopVariables = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'SVC_DIRECTORY_PICKER',
  'SVC_FILE_PICKER',
]
const chosen = { directory: 'SVC_DIRECTORY_PICKER', files: 'SVC_FILE_PICKER' } as const

/**
 * Opens a dialog of the desktop and returns the selected paths; none if the user cancels it. Refuses
 * `picker_unavailable` without a desktop.
 */
export async function pickPaths(
  needs: PickerNeeds,
  request: PickRequest,
): Promise<readonly string[]> {
  const variables = needs.variables()
  const dialog = await findDialog(variables, request, needs.platform)
  if (!dialog) throw sourcesRefusal('picker_unavailable')
  const { code, stdout, stderr, timedOut } = await runProcess(needs, {
    ...dialog,
    purpose: 'picker',
    timeoutMs,
    signal: request.signal,
    env: commandEnvironment(variables, desktopVariables),
  })
  // A dialog that a user cancels ends with 1 and no message about a display.
  if (code !== 0 && !timedOut && /display|not authori[sz]ed|-1743/i.test(stderr))
    throw sourcesRefusal('picker_unavailable')
  if (code !== 0) return []
  const paths = stdout.split(/\r?\n/).filter((line) => line.trim() !== '')
  return paths.slice(0, request.kind === 'files' ? maxPaths : 1)
}

type Variables = Readonly<Record<string, string>>

async function findDialog(
  variables: Variables,
  request: PickRequest,
  platform: NodeJS.Platform,
): Promise<Dialog | undefined> {
  const [command, ...args] = (variables[chosen[request.kind]] ?? '').split(/\s+/).filter(Boolean)
  if (command !== undefined) return toDialog(variables, command, args)
  if (platform === 'darwin') return toDialog(variables, 'osascript', ['-e', appleScript(request)])
  if (platform === 'win32')
    return toDialog(variables, 'powershell', [
      '-NoProfile',
      '-STA',
      '-Command',
      windowsForm(request),
    ])
  if (!variables['DISPLAY'] && !variables['WAYLAND_DISPLAY']) return undefined
  return (
    (await toDialog(variables, 'zenity', zenityArgs(request))) ??
    (await toDialog(variables, 'kdialog', kdialogArgs(request, variables['HOME'] ?? '/')))
  )
}

async function toDialog(
  variables: Variables,
  name: string,
  args: readonly string[],
): Promise<Dialog | undefined> {
  const command = await findProgram(name, variables)
  return command === undefined ? undefined : { command, args }
}

function titleOf({ kind, title }: PickRequest): string {
  return title ?? (kind === 'directory' ? 'Choose a folder' : 'Choose files')
}

function zenityArgs(request: PickRequest): readonly string[] {
  const mode = request.kind === 'directory' ? ['--directory'] : ['--multiple', '--separator=\n']
  return ['--file-selection', ...mode, `--title=${titleOf(request)}`]
}

function kdialogArgs(request: PickRequest, home: string): readonly string[] {
  const mode =
    request.kind === 'directory'
      ? ['--getexistingdirectory', home]
      : ['--getopenfilename', home, '--multiple', '--separate-output']
  return [...mode, '--title', titleOf(request)]
}

function appleScript(request: PickRequest): string {
  const prompt = JSON.stringify(titleOf(request))
  if (request.kind === 'directory') return `POSIX path of (choose folder with prompt ${prompt})`
  return `set picked to choose file with prompt ${prompt} with multiple selections allowed
set AppleScript's text item delimiters to linefeed
set paths to {}
repeat with one in picked
set end of paths to POSIX path of one
end repeat
paths as text`
}

function windowsForm(request: PickRequest): string {
  const title = titleOf(request).replaceAll("'", "''")
  const load = 'Add-Type -AssemblyName System.Windows.Forms;'
  return request.kind === 'directory'
    ? `${load}$d=New-Object Windows.Forms.FolderBrowserDialog;$d.Description='${title}';if($d.ShowDialog() -eq 'OK'){$d.SelectedPath}`
    : `${load}$d=New-Object Windows.Forms.OpenFileDialog;$d.Multiselect=$true;$d.Title='${title}';if($d.ShowDialog() -eq 'OK'){$d.FileNames}`
}
