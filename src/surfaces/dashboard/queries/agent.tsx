import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { setAgent } from './api.ts'

const ownAgent = 'default'

interface AgentState {
  readonly agent: string
  readonly choose: (agent: string) => void
}

const AgentContext = createContext<AgentState>({ agent: ownAgent, choose: () => undefined })

/** The agent whose memory is shown. It lasts as long as the page. */
export function useAgent(): AgentState {
  return useContext(AgentContext)
}

export function AgentProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient()
  const [agent, setName] = useState(ownAgent)
  const choose = (name: string) => {
    setAgent(name === ownAgent ? undefined : name)
    setName(name)
    void queries.resetQueries({ predicate: ({ queryKey: [key] }) => key !== 'session' })
  }
  return <AgentContext value={{ agent, choose }}>{children}</AgentContext>
}
