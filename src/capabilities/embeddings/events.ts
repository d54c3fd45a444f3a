export interface EmbeddingsEvents {
  /** Searches are answered by the vectors of this identity from now on. */
  'embeddings.promoted': { readonly identity: string }
}
