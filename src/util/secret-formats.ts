/**
 * Formats of credentials that their vendors document or that carry a prefix made for secret scanning. Every
 * pattern starts at a boundary and has bounded or disjoint repetitions, so that a search stays linear on hostile
 * text. `hints` are literals of which one must occur: most texts are dismissed by them alone.
 */
export interface SecretFormat {
  id: string;
  title: string;
  hints: readonly string[];
  pattern: RegExp;
}

/** Prefixes that are words of other names too: `cache_key-` and a checksum. */
const COMMON = /^(?:key-|fc-|pul-|secret_|\(\?:ntn_\|secret_\))$/;

/**
 * A token that starts with `prefix` and goes on with `body`, neither side continuing a word. Before a prefix that is a
 * word of its own, `prod_` or `my-` may stand.
 */
function token(prefix: string, body: string, after = '(?![A-Za-z0-9_-])'): RegExp {
  const own = /[_-]\)?$/.test(prefix) && !COMMON.test(prefix);
  return new RegExp(`(?<![A-Za-z0-9${own ? '' : '_-'}])${prefix}${body}${after}`, 'g');
}

const format = (id: string, title: string, hints: readonly string[], pattern: RegExp): SecretFormat => ({
  id,
  title,
  hints,
  pattern,
});

const ANY = '[A-Za-z0-9_-]';
const ALNUM = '[A-Za-z0-9]';
const HEX = '[0-9a-f]';

export const SECRET_FORMATS: readonly SecretFormat[] = [
  format('github', 'GitHub token', ['gh'], token('gh[oprsu]_', '[A-Za-z0-9_.-]{36,600}')),
  format('github-pat', 'GitHub fine-grained token', ['github_pat_'], token('github_pat_', '\\w{60,255}')),
  format(
    'gitlab',
    'GitLab token',
    ['gl'],
    token('gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-', '[A-Za-z0-9_.-]{20,255}'),
  ),
  format(
    'aws-access-key',
    'AWS access key id',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    token('(?:AKIA|ASIA|ABIA|ACCA)', '[A-Z2-7]{16}'),
  ),
  format(
    'aws-secret-key',
    'AWS secret access key',
    ['ecret', 'ECRET'],
    /(?<=(?:aws_?|AWS_?)?(?:secret_?access_?key|SECRET_?ACCESS_?KEY|[sS]ecretAccessKey)["']?\s{0,4}[:=]\s{0,4}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g,
  ),
  format(
    'slack',
    'Slack token',
    ['xox', 'xapp-'],
    token('(?:xox[abeoprsc]|xapp|xoxe\\.xox[bp])-', '[A-Za-z0-9-]{10,255}'),
  ),
  format(
    'slack-webhook',
    'Slack webhook',
    ['hooks.slack.com'],
    /(?<=hooks\.slack\.com\/)(?:services|workflows|triggers)\/[A-Za-z0-9]{6,14}\/[A-Za-z0-9]{6,20}\/[A-Za-z0-9]{16,48}/g,
  ),
  format('openai', 'OpenAI key', ['T3BlbkFJ'], token('sk-', `${ANY}{16,200}`)),
  format(
    'openai-project',
    'OpenAI key',
    ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'],
    token('sk-(?:proj|svcacct|admin|None)-', `${ANY}{32,255}`),
  ),
  format('sk-key', 'API key (sk-…)', ['sk-'], token('sk-', `${ALNUM}{32,64}`)),
  format('anthropic', 'Anthropic key', ['sk-ant-'], token('sk-ant-', `[a-z]{3,6}[0-9]{2}-${ANY}{24,255}`)),
  format('openrouter', 'OpenRouter key', ['sk-or-'], token('sk-or-', `(?:v1-)?${HEX}{48,64}`)),
  format('stripe', 'Stripe key', ['_live_', '_test_'], token('(?:sk|rk)_(?:live|test)_', `${ALNUM}{16,255}`)),
  format(
    'webhook-secret',
    'Webhook signing secret',
    ['whsec_'],
    token('whsec_', '[A-Za-z0-9+/]{24,88}={0,2}', ''),
  ),
  format('npm', 'npm token', ['npm_'], token('npm_', `${ALNUM}{36}`)),
  format('pypi', 'PyPI token', ['pypi-AgE'], token('pypi-AgE', `${ANY}{50,500}`)),
  format('google-api', 'Google API key', ['AIza'], token('AIza', `${ANY}{35}`)),
  format(
    'google-oauth',
    'Google OAuth secret',
    ['GOCSPX-', 'ya29.'],
    token('(?:GOCSPX-|ya29\\.)', `${ANY}{24,500}`),
  ),
  format(
    'jwt',
    'JSON Web Token',
    ['eyJ'],
    token('eyJ', `${ANY}{10,4000}\\.eyJ${ANY}{8,8000}\\.${ANY}{16,2000}`),
  ),
  format('sendgrid', 'SendGrid key', ['SG.'], token('SG\\.', `${ANY}{16,32}\\.${ANY}{32,64}`)),
  format('twilio', 'Twilio key', ['SK'], token('SK', `${HEX}{32}`)),
  format('mailgun', 'Mailgun key', ['key-'], token('key-', `${HEX}{32}`)),
  format('mailchimp', 'Mailchimp key', ['-us'], token('', `${HEX}{32}-us[0-9]{1,2}`)),
  format('digitalocean', 'DigitalOcean token', ['_v1_'], token('do[opr]_v1_', `${HEX}{64}`)),
  format('heroku', 'Heroku key', ['HRKU-'], token('HRKU-', `${ANY}{36,80}`)),
  format('hugging-face', 'Hugging Face token', ['hf_', 'api_org_'], token('(?:hf|api_org)_', '[A-Za-z]{34}')),
  format('databricks', 'Databricks token', ['dapi'], token('dapi', `${HEX}{32}(?:-[0-9])?`)),
  format('shopify', 'Shopify token', ['shp'], token('shp(?:at|ca|pa|ss)_', '[0-9A-Fa-f]{32}')),
  format('square', 'Square token', ['sq0', 'EAAA'], token('(?:sq0(?:atp|csp|idp)-|EAAA)', `${ANY}{22,64}`)),
  format('telegram', 'Telegram bot token', [':AA'], token('[0-9]{8,10}:AA', `${ANY}{32,34}`)),
  format('discord', 'Discord bot token', ['.'], token('[MNO]', `${ANY}{22,27}\\.${ANY}{6}\\.${ANY}{27,40}`)),
  format(
    'discord-webhook',
    'Discord webhook',
    ['/api/webhooks/'],
    /(?<=discord(?:app)?\.com\/api\/webhooks\/)[0-9]{16,20}\/[A-Za-z0-9_-]{40,100}/g,
  ),
  format('linear', 'Linear key', ['lin_'], token('lin_(?:api|oauth|wh)_', `${ALNUM}{32,64}`)),
  format('notion', 'Notion token', ['ntn_', 'secret_'], token('(?:ntn_|secret_)', `${ALNUM}{40,64}`)),
  format('figma', 'Figma token', ['fig'], token('fig(?:d|o|u|or)_', `${ANY}{36,64}`)),
  format('sentry', 'Sentry token', ['sntry'], token('sntry[su]_', '[A-Za-z0-9+/=_-]{60,400}')),
  format('grafana', 'Grafana token', ['glsa_', 'glc_'], token('(?:glsa_|glc_)', '[A-Za-z0-9+/=_]{32,400}')),
  format('vault', 'Vault token', ['hv'], token('hv[bsr]\\.', `${ANY}{24,300}`)),
  format('terraform', 'Terraform Cloud token', ['.atlasv1.'], token(ALNUM, `{14}\\.atlasv1\\.${ANY}{60,70}`)),
  format('docker', 'Docker token', ['dckr_'], token('dckr_[po]at_', `${ANY}{27,40}`)),
  format(
    'doppler',
    'Doppler token',
    ['dp.'],
    token('dp\\.(?:pt|st|ct|sa|scim|audit)\\.', '[A-Za-z0-9._-]{40,80}'),
  ),
  format('postman', 'Postman key', ['PMAK-'], token('PMAK-', `${HEX}{24}-${HEX}{34}`)),
  format('new-relic', 'New Relic key', ['NRA'], token('NRA[KL]-', '[A-Z0-9]{27}')),
  format('airtable', 'Airtable token', ['pat'], token('pat', `${ALNUM}{14}\\.${HEX}{64}`)),
  format(
    'atlassian',
    'Atlassian token',
    ['AT'],
    token('AT(?:ATT3|CTT3|BB|STT3)', '[A-Za-z0-9_=-]{24,300}', ''),
  ),
  format('supabase', 'Supabase key', ['sbp_', 'sb_secret_'], token('(?:sbp_|sb_secret_)', `${ANY}{24,64}`)),
  format('groq', 'Groq key', ['gsk_'], token('gsk_', `${ALNUM}{48,60}`)),
  format('xai', 'xAI key', ['xai-'], token('xai-', `${ALNUM}{70,90}`)),
  format('perplexity', 'Perplexity key', ['pplx-'], token('pplx-', `${ALNUM}{40,64}`)),
  format('replicate', 'Replicate token', ['r8_'], token('r8_', `${ALNUM}{37}`)),
  format('firecrawl', 'Firecrawl key', ['fc-'], token('fc-', `${HEX}{32}`)),
  format('tavily', 'Tavily key', ['tvly-'], token('tvly-', `${ANY}{28,64}`)),
  format('brave', 'Brave Search key', ['BSA'], token('BSA', `${ANY}{27,28}`)),
  format('langsmith', 'LangSmith key', ['lsv2_'], token('lsv2_(?:pt|sk)_', `${HEX}{32}_${HEX}{10}`)),
  format('planetscale', 'PlanetScale token', ['pscale_'], token('pscale_(?:tkn|pw|oauth)_', `${ANY}{32,64}`)),
  format('pulumi', 'Pulumi token', ['pul-'], token('pul-', `${HEX}{40}`)),
  format('rubygems', 'RubyGems key', ['rubygems_'], token('rubygems_', `${HEX}{48}`)),
  format('crates-io', 'crates.io token', ['cio'], token('cio', `${ALNUM}{32}`)),
  format(
    'fly',
    'Fly.io token',
    ['fo1_', 'fm1', 'fm2_'],
    token('(?:fo1_|fm1[ar]_|fm2_)', '[A-Za-z0-9+/=_-]{40,800}', ''),
  ),
  format(
    'dynatrace',
    'Dynatrace token',
    ['dt0'],
    token('dt0[a-z][0-9]{2}\\.', '[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
  ),
  format(
    'azure-storage',
    'Azure storage key',
    ['AccountKey=', 'SharedAccessKey='],
    /(?<=(?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/]{43,86}={1,2}/g,
  ),
  format(
    'azure-ad',
    'Azure client secret',
    ['Q~'],
    /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/g,
  ),
  format('age', 'age secret key', ['AGE-SECRET-KEY-'], token('AGE-SECRET-KEY-1', '[0-9A-Z]{58}')),
  format(
    'onepassword',
    '1Password service token',
    ['ops_eyJ'],
    token('ops_eyJ', '[A-Za-z0-9+/=_-]{200,1500}', ''),
  ),
  format('netlify', 'Netlify token', ['nf'], token('nf[pcoub]_', `${ALNUM}{36,40}`)),
  format('contentful', 'Contentful token', ['CFPAT-'], token('CFPAT-', `${ANY}{43}`)),
  format('buildkite', 'Buildkite token', ['bk'], token('bk(?:ua|pt|ct)_', `${ALNUM}{40,64}`)),
  format('circleci', 'CircleCI token', ['CCIP'], token('CCIP(?:AT|RJ)_', `${ALNUM}{20,24}_${HEX}{40}`)),
  format(
    'sourcegraph',
    'Sourcegraph token',
    ['sgp_'],
    token('sgp_', `(?:[0-9A-Za-z]{16}_|local_)?${HEX}{40}`),
  ),
  format('alibaba', 'Alibaba Cloud key id', ['LTAI'], token('LTAI', `${ALNUM}{12,24}`)),
  format('mapbox', 'Mapbox secret token', ['sk.eyJ'], token('sk\\.eyJ', `${ANY}{40,300}\\.${ANY}{16,40}`)),
];

const TITLES: ReadonlyMap<string, string> = new Map([
  ...SECRET_FORMATS.map(({ id, title }): [string, string] => [id, title]),
  ['private-key', 'Private key'],
  ['url-password', 'Password in a URL'],
]);

/** The name of a format by its id, `private-key` and `url-password` included; undefined for any other text. */
export function formatTitle(id: string): string | undefined {
  return TITLES.get(id);
}
