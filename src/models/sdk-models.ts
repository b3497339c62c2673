// In one bundle, as most of each is what they share.
import { openAnthropicModel } from './anthropic-model.ts';
import { openGoogleModel } from './google-model.ts';
import { openOpenAICompatibleModel } from './openai-compatible-model.ts';
import { openOpenAIModel } from './openai-model.ts';

/** The models that are asked through the AI SDK. */
export const sdkModels = { openAnthropicModel, openGoogleModel, openOpenAICompatibleModel, openOpenAIModel };
