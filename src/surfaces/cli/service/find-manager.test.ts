import { expect, test } from 'vitest'
import { findManager } from './registration.ts'
import type { ServiceManager } from './service-manager.ts'

const settings = {
  words: ['/opt/tea & co/node', '/opt/reverie', 'start', '--foreground'],
  variables: { SVC_PATH: '/srv/ada/50% "tea"', PATH: '/usr/bin' },
  workspace: '/srv/ada/50% "tea"',
  startLog: '/srv/ada/.svc/.daemon/start.log',
}

function managerOf(platform: NodeJS.Platform): ServiceManager {
  const workspace = platform === 'win32' ? String.raw`C:\Users\ada\.svc` : settings.workspace
  const places = { home: '/srv/ada', configHome: '/srv/ada/.config', workspace, uid: 501 }
  const manager = findManager(places, platform)
  if (!manager) throw new Error(`${platform} has no manager`)
  return manager
}

test('the launch agent starts at login, restarts after a failure, and escapes its texts', () => {
  const manager = managerOf('darwin')
  const [{ path, text } = { path: '', text: '' }] = manager.files(settings)

  expect(path).toBe('/srv/ada/Library/LaunchAgents/local.reverie.daemon.plist')
  expect(text).toContain('<string>/opt/tea &amp; co/node</string>')
  expect(text).toContain('<key>SVC_PATH</key><string>/srv/ada/50% &quot;tea&quot;</string>')
  expect(text).toContain('<key>RunAtLoad</key><true/>')
  expect(text).toMatch(/<key>KeepAlive<\/key>\s+<dict>\s+<key>SuccessfulExit<\/key><false\/>/)
  expect(manager.register).toEqual([['launchctl', 'bootstrap', 'gui/501', path]])
  expect(manager.unregister).toEqual([['launchctl', 'bootout', 'gui/501/local.reverie.daemon']])
})

test('the scheduled task runs at log-on without rights of an administrator, and waits longer each time', () => {
  const manager = managerOf('win32')
  const [script, task] = manager.files({
    ...settings,
    words: [String.raw`C:\node.exe`, 'reverie', 'start', '--foreground'],
    variables: { SVC_PATH: String.raw`C:\Users\Änne\50%` },
  })

  expect(task?.text).toContain('<RunLevel>LeastPrivilege</RunLevel>')
  expect(task?.text).toContain('<LogonTrigger>')
  expect(task?.text).toContain(`&quot;${script?.path}&quot;`)
  expect(script?.text).toContain(String.raw`set "SVC_PATH=C:\Users\Änne\50%%"`)
  expect(script?.text).toContain('if not errorlevel 1 exit /b 0')
  expect(script?.text).toContain('set /a delay=delay*2')
  expect(manager.register[0]).toEqual([
    'schtasks',
    '/Create',
    '/TN',
    'Reverie',
    '/XML',
    task?.path,
    '/F',
  ])
})

test('another platform has no service manager', () => {
  const places = { home: '/', configHome: '/', workspace: '/', uid: 1 }
  expect(findManager(places, 'freebsd')).toBe(undefined)
})
