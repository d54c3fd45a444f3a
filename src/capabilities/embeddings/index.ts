export { createStaticModel, type StaticModel, splitPassages } from './static-model/index.ts'
