/** Our own variables, and what is named as a key of any service of models. */
const OURS = /^(THOUGHT_TREE_|.{0,100}_(API_KEY|API_TOKEN|AUTH_TOKEN|OAUTH_TOKEN)$)/i;

/** Those who offer models, as the names of their variables begin. */
const PROVIDERS = [
  ...['AI21', 'ANTHROPIC', 'AWS_BEARER_TOKEN_BEDROCK', 'AZURE_OPENAI', 'BEDROCK', 'CEREBRAS', 'CLAUDE', 'COHERE'],
  ...['DASHSCOPE', 'DEEPSEEK', 'FIREWORKS', 'GEMINI', 'GOOGLE', 'GROQ', 'HF', 'HUGGINGFACE', 'HUGGINGFACEHUB'],
  ...['HUGGING_FACE', 'LITELLM', 'MISTRAL', 'MOONSHOT', 'NVIDIA', 'OLLAMA', 'OPENAI', 'OPENROUTER', 'PERPLEXITY'],
  ...['REPLICATE', 'TOGETHER', 'VERTEX', 'VOYAGE', 'XAI', 'ZAI', 'ZHIPU'],
];

/** Names of variables whose values nobody else is to have. */
const SECRET = /KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIAL/;

/** Returns the environment of a command that a person named: without keys of models, which are none of its business. */
export function commandEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isKeyOfModel(name)));
}

function isKeyOfModel(name: string): boolean {
  const upper = name.toUpperCase(); // Windows ignores case
  return (
    OURS.test(upper) || (SECRET.test(upper) && PROVIDERS.some((each) => upper === each || upper.startsWith(`${each}_`)))
  );
}
