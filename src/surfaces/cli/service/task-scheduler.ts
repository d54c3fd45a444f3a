import { win32 } from 'node:path'
import {
  escapeXml,
  type ServiceManager,
  type ServicePlaces,
  type ServiceSettings,
} from './service-manager.ts'

const task = 'Reverie'

/** A scheduled task at log-on. It runs a script, because a task has no variables and no back-off. */
export function taskScheduler({ workspace }: ServicePlaces): ServiceManager {
  const folder = win32.join(workspace, '.daemon')
  const [definition, script] = ['service.xml', 'service.cmd'].map((name) =>
    win32.join(folder, name),
  ) as [string, string]
  return {
    name: 'task scheduler',
    files: (settings) => [
      { path: script, text: renderScript(settings) },
      { path: definition, text: renderTask(script, settings.workspace) },
    ],
    probe: ['schtasks', '/Query', '/FO', 'LIST'],
    register: [['schtasks', '/Create', '/TN', task, '/XML', definition, '/F']],
    start: ['schtasks', '/Run', '/TN', task],
    unregister: [
      ['schtasks', '/End', '/TN', task],
      ['schtasks', '/Delete', '/TN', task, '/F'],
    ],
    forget: [],
    query: ['schtasks', '/Query', '/TN', task, '/FO', 'LIST'],
    running: /Running/,
  }
}

/** Restarts the daemon after a failure; the delay doubles from 2 to 256 seconds. */
function renderScript({ words, variables, startLog }: ServiceSettings): string {
  const sets = Object.entries(variables).map(
    ([name, value]) => `set "${name}=${escapePercent(value)}"`,
  )
  return [
    '@echo off',
    'rem Written by reverie service install; removed by reverie service uninstall.',
    'setlocal disabledelayedexpansion',
    'chcp 65001 >nul',
    ...sets,
    'set delay=2',
    ':start',
    `${words.map((word) => `"${escapePercent(word)}"`).join(' ')} >nul 2>"${escapePercent(startLog)}"`,
    'if not errorlevel 1 exit /b 0',
    'ping -n %delay% 127.0.0.1 >nul',
    'if %delay% lss 256 set /a delay=delay*2 >nul',
    'goto start',
    '',
  ].join('\r\n')
}

/** A batch file expands percent signs; a path contains no quotation mark. */
function escapePercent(text: string): string {
  return text.replaceAll('%', '%%')
}

/** The console host hides the window of the script. */
function renderTask(script: string, workspace: string): string {
  return [
    '<?xml version="1.0"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    '  <RegistrationInfo>',
    '    <Description>Reverie, a memory for AI agents</Description>',
    '  </RegistrationInfo>',
    '  <Triggers>',
    '    <LogonTrigger><Enabled>true</Enabled></LogonTrigger>',
    '  </Triggers>',
    '  <Principals>',
    '    <Principal id="Author">',
    '      <LogonType>InteractiveToken</LogonType>',
    '      <RunLevel>LeastPrivilege</RunLevel>',
    '    </Principal>',
    '  </Principals>',
    '  <Settings>',
    '    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
    '    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
    '    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
    '    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
    '    <RestartOnFailure><Interval>PT1M</Interval><Count>10</Count></RestartOnFailure>',
    '  </Settings>',
    '  <Actions Context="Author">',
    '    <Exec>',
    '      <Command>conhost.exe</Command>',
    `      <Arguments>--headless cmd.exe /d /c ${escapeXml(`"${script}"`)}</Arguments>`,
    `      <WorkingDirectory>${escapeXml(workspace)}</WorkingDirectory>`,
    '    </Exec>',
    '  </Actions>',
    '</Task>',
    '',
  ].join('\r\n')
}
