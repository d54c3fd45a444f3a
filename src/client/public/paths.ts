type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace'

/** A placeholder for the types that the build generates from the OpenAPI document: each path with its shapes. */
export type paths = Record<string, Record<Method, object>>
