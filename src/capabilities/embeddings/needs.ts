export interface EmbeddingsNeeds {
  /** Where the static model is; the one that comes with the package unless given. */
  readonly modelFolder?: URL
}
