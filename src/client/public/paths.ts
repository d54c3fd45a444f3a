type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace'

/** Stands in for what the build writes from the served document: each path with its shapes. */
export type paths = Record<string, Record<Method, object>>
