"""Secrets are replaced, everything else is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemic.errors import InvalidInput
from mnemic.text.secrets import RULES, Masker, Rule, mask

SECRETS = [
    ("sk-test-" + "A" * 24, "openai"),
    ("ghp_" + "A" * 36, "github"),
    ("AKIA" + "A" * 16, "aws"),
    ("xoxb-1234567890-abcdefghijkl", "slack"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_d", "jwt"),
    ("postgres://u:p4ss@h/db", "url_password"),
    ("redis://:p4ss@h:6379/0", "url_password"),
    ("export API_TOKEN=abc123", "token"),
    ("Bearer abc123def456ghi789", "bearer"),
    ("Authorization: Basic dXNlcjpwYXNzd29yZA==", "bearer"),
    ('{"password": "hunter2pass"}', "password"),
    ('{"api_key":"abcd1234efgh5678"}', "token"),
    ("password: hunter2", "password"),
    ("the password is Tr0ub4dor&3", "password"),
    ("DB_PASSWORD=swordfish", "password"),
    ('password = "correcthorse"', "password"),
    ("Пароль: qwerty123", "password"),
    ("пароль от вайфая: 12345678", "password"),
    ("мой пароль — Zx9!kk2", "password"),
    ("密码：abc12345", "password"),
    ("ключ API: 9f8e7d6c5b4a39281706", "token"),
    ("токен: a1b2c3d4e5f6a7b8", "token"),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "token"),
    ('SECRET_KEY = "django-insecure-8a&f)x1k2"', "token"),
    ('GITHUB_TOKEN="0123456789abcdef0123456789abcdef01234567"', "token"),
    ("client_secret: 3f2a9b1c-1111-4222-8333-9f8e7d6c5b4a", "token"),
    ("mysql --password=Hunter2x", "password"),
    ("run --api-key k3yT0ken99 now", "token"),
]
HARMLESS = [
    "risk-based approach, task-oriented, disk-usage, ask-me-anything-about-it",
    "commit 3f2a9b1c0d4e5f60718293a4b5c6d7e8f9012345 fixes it",
    "id 3f2a9b1c-1111-4222-8333-9f8e7d6c5b4a",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "integrity sha512-abcDEF123+/abcDEF123+/abcDEF123+/abcDEF123+/abcDEF123==",
    'data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5Erk=="',
    'password = os.environ["DB_PASSWORD"]',
    "password = db.Column(db.String(120), nullable=False)",
    "password: required field",
    "def login(user, password: str, token: str | None = None):",
    'max_tokens: 4096, tokens = 12000, "token_count": 128',
    "the token is invalid, my password is wrong",
    "primary_key: user_id",
    "api_key = settings.api_key",
    "token = get_token(user1)",
    'if token == "foo":',
    "http://localhost:8080/@user https://example.com/a:b@c",
    "git@github.com:owner/repo.git",
    "пароль: забыл, напомни",
    "Ключ: значение, секрет: никому",
    "sk-learn-contrib-is-a-nice-package-name",
    "bearer of bad news, bearer authentication-and-authorization",
    "secret santa: 24 December",
    "12:30:45 and 10:20, std::vector<int>::iterator it",
    "PATH=/usr/local/sbin:/usr/local/bin",
    "key=lambda x: x[1]",
    "CREDENTIALS_PATH = 'path/to/credentials2.json'",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
]


@pytest.mark.parametrize("rule", RULES, ids=[f"{n}-{rule.name}" for n, rule in enumerate(RULES)])
@pytest.mark.parametrize("frame", ["{}", "see {} there", "текст{}текст", "密钥是{}。", '"{}"', "a\n{}\nb"])
def test_every_rule_masks_its_example_also_when_glued(rule: Rule, frame: str) -> None:
    secret = rule.pattern.search(rule.example)
    assert secret
    masked, counts = mask(frame.format(rule.example))
    assert counts[rule.name] == 1
    assert secret["v" if "v" in rule.pattern.groupindex else 0] not in masked


def test_there_are_rules_enough() -> None:
    assert len({rule.name for rule in RULES}) >= 20
    assert all(hint == hint.lower() for rule in RULES for hint in rule.hints)


@pytest.mark.parametrize(("text", "kind"), SECRETS)
def test_secrets(text: str, kind: str) -> None:
    masked, counts = mask(text)
    assert counts == {kind: 1}
    assert f"[masked:{kind}]" in masked


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_text(text: str) -> None:
    assert mask(text) == (text, {})


@pytest.mark.parametrize(("text", "kind"), SECRETS)
def test_masking_twice_changes_nothing(text: str, kind: str) -> None:
    once, _ = mask(text)
    assert mask(once) == (once, {})


def test_the_words_around_stay() -> None:
    text = "Connect with postgres://bot:s3cret@db.local/main, then run it; key AKIAABCDEFGHIJKLMNOP!"
    assert mask(text) == (
        "Connect with postgres://bot:[masked:url_password]@db.local/main, then run it; key [masked:aws]!",
        {"url_password": 1, "aws": 1},
    )


def test_a_key_that_was_cut_off() -> None:
    head = "-----BEGIN OPENSSH PRIVATE KEY-----\n"
    text = head + "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU\nAAAAB3NzaC1yc2EAAAADAQABAAAB\nand then words"
    assert mask(text)[0] == "[masked:private_key]\nand then words"
    assert mask("It begins with -----BEGIN PRIVATE KEY----- as always.")[0].endswith("as always.")
    escaped = '"-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\\n-----END PRIVATE KEY-----\\n"'
    assert "MIIE" not in mask(escaped)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <private>pin 4711</private> b", "a [masked:private] b"),
        ("x <private>a <private>b</private> c</private> d", "x [masked:private] d"),
        ("open <private> all the rest", "open [masked:private]"),
        ("one <private>1</private> two <private>2</private>", "one [masked:private] two [masked:private]"),
        ("<PRIVATE reason='x'>q</PRIVATE>w", "[masked:private]w"),
        ('{"out": "\\u003cprivate\\u003epin\\u003c/private\\u003e"}', '{"out": "[masked:private]"}'),
        ("&lt;private&gt;pin&lt;/private&gt; ok", "[masked:private] ok"),
        ("< private >pin</ private > ok", "[masked:private] ok"),
        ("a stray </private> stays", "a stray </private> stays"),
        ("a private matter, std::unique_ptr<privateer>", "a private matter, std::unique_ptr<privateer>"),
    ],
)
def test_private_blocks(text: str, expected: str) -> None:
    assert mask(text)[0] == expected


@given(st.text(max_size=200), st.text(max_size=50), st.text(max_size=50))
def test_private_words_never_stay(before: str, private: str, after: str) -> None:
    inner = "Zq" + private.replace("<", "").replace("&lt;", "").replace("\\u003c", "") + "qZ"
    masked, counts = mask(f"{before}<private>{inner}</private>{after}")
    assert counts["private"] >= 1
    assert inner not in masked.replace("[masked:private]", "") or inner in before + after


@given(st.text(max_size=300))
def test_any_text_is_taken(text: str) -> None:
    masked, counts = mask(text)
    assert (masked == text) == (not counts)


class TestPolicy:
    def test_extra_patterns_mask_too(self) -> None:
        masker = Masker({"badge": r"badge (?P<v>\d{4})"})
        assert masker.mask("badge 1234, ghp_" + "a" * 36) == (
            "badge [masked:badge], [masked:github]",
            {"badge": 1, "github": 1},
        )

    @pytest.mark.parametrize(
        "extra",
        [
            {"x": "("},
            {"x": ""},
            {"x": "a*"},
            {"x": None},
            {"": "a"},
            {"a b": "a"},
            {5: "a"},
            {"x": "(?P<v>a"},
            {"x": "[z-a]"},
        ],
    )
    def test_a_broken_policy_fails_at_once(self, extra: dict[str, str]) -> None:
        with pytest.raises(InvalidInput):
            Masker(extra)


def test_hostile_texts_take_no_time() -> None:
    """Texts made to send regular expressions astray, 200 kB each."""
    for piece in (
        "password",
        "password:",
        "key=",
        "://a:",
        "-----BEGIN PRIVATE KEY-----",
        "eyJ.",
        "a=",
        "token: ",
        "пароль от ",
        "<private",
        "A_",
        "sk-",
    ):
        masked, counts = mask(piece * (200_000 // len(piece)))
        assert masked.count("[masked:") == counts.total() - counts["private"], piece
