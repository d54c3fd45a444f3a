import { join } from 'node:path'
import {
  escapeXml,
  type ServiceManager,
  type ServicePlaces,
  type ServiceSettings,
} from './service-manager.ts'

const label = 'local.reverie.daemon'

/** A launch agent: launchd starts it when the user logs in. */
export function launchd({ home, uid = 0 }: ServicePlaces): ServiceManager {
  const path = join(home, 'Library', 'LaunchAgents', `${label}.plist`)
  const domain = `gui/${uid}`
  return {
    name: 'launchd',
    files: (settings) => [{ path, text: renderAgent(settings) }],
    probe: ['launchctl', 'print', domain],
    register: [['launchctl', 'bootstrap', domain, path]],
    start: ['launchctl', 'kickstart', `${domain}/${label}`],
    unregister: [['launchctl', 'bootout', `${domain}/${label}`]],
    forget: [],
    query: ['launchctl', 'print', `${domain}/${label}`],
    running: /state = running/,
  }
}

/** launchd waits `ThrottleInterval` seconds between restarts. */
function renderAgent({ words, variables, startLog, workspace }: ServiceSettings): string {
  const environment = Object.entries(variables).map(
    ([name, value]) => `    <key>${escapeXml(name)}</key><string>${escapeXml(value)}</string>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!-- Written by reverie service install; removed by reverie service uninstall. -->',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key><string>${label}</string>`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...words.map((word) => `    <string>${escapeXml(word)}</string>`),
    '  </array>',
    '  <key>EnvironmentVariables</key>',
    '  <dict>',
    ...environment,
    '  </dict>',
    `  <key>WorkingDirectory</key><string>${escapeXml(workspace)}</string>`,
    '  <key>RunAtLoad</key><true/>',
    '  <key>KeepAlive</key>',
    '  <dict>',
    '    <key>SuccessfulExit</key><false/>',
    '  </dict>',
    '  <key>ThrottleInterval</key><integer>30</integer>',
    '  <key>Umask</key><integer>63</integer>',
    '  <key>StandardOutPath</key><string>/dev/null</string>',
    `  <key>StandardErrorPath</key><string>${escapeXml(startLog)}</string>`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n')
}
