export { createStaticModel, splitPassages } from './static-model/index.ts'
