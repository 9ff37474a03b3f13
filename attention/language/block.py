r"""One layer of a language model: attention carries over from other tokens, then each token is worked on alone.

    h = x + Attention(Norm(x)),   y = h + MLP(Norm(h))

    RMSNorm:    Norm(x) = x / sqrt(mean(x^2) + eps) * g                                   SmolLM2
    LayerNorm:  Norm(x) = (x - mean(x)) / sqrt(var(x) + eps) * g + b                      GPT-2
    gated MLP:  MLP(h) = W_down (silu(W_gate h) * W_up h),   silu(z) = z / (1 + e^{-z})   SmolLM2
    MLP:        MLP(h) = W_proj gelu(W_fc h + b_fc) + b_proj                              GPT-2

Source: Xiong et al. 2020 (the norm comes first); Zhang and Sennrich 2019, RMSNorm; Shazeer 2020, GLU Variants;
Touvron et al. 2023, Llama, section 2.2; Radford et al. 2019, GPT-2, section 2.3.
"""

from torch import Tensor, nn
from torch.nn.functional import silu

from attention.grouped_query import GroupedQueryAttention
from attention.multihead import MultiHeadAttention
from attention.trace import Tap, untapped


class Block(nn.Module):
    """`forward` takes x (batch, token, d) and returns the same shape. The tap listens to its attention."""

    def __init__(
        self,
        attention_norm: nn.Module,
        attention: GroupedQueryAttention | MultiHeadAttention,
        mlp_norm: nn.Module,
        mlp: nn.Module,
    ) -> None:
        super().__init__()
        self.attention_norm = attention_norm
        self.attention = attention
        self.mlp_norm = mlp_norm
        self.mlp = mlp

    def forward(self, x: Tensor, tap: Tap = untapped) -> Tensor:
        attended: Tensor = x + self.attention(self.attention_norm(x), tap=tap)  # (batch, token, d)
        changed: Tensor = self.mlp(self.mlp_norm(attended))  # (batch, token, d)
        return attended + changed  # (batch, token, d)


class GatedMLP(nn.Module):
    """Two layers, the first of them multiplied by a gate. x (..., d) -> (..., d), over `hidden` numbers."""

    def __init__(self, d: int, hidden: int) -> None:
        super().__init__()
        self.gate = nn.Linear(d, hidden, bias=False)
        self.up = nn.Linear(d, hidden, bias=False)
        self.down = nn.Linear(hidden, d, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        gated = silu(self.gate(x)) * self.up(x)  # (..., hidden)
        narrowed: Tensor = self.down(gated)  # (..., d)
        return narrowed


class MLP(nn.Module):
    """Two layers with GELU in between. x (..., d) -> (..., d), over `hidden` numbers."""

    def __init__(self, d: int, hidden: int) -> None:
        super().__init__()
        self.fc = nn.Linear(d, hidden)
        self.gelu = nn.GELU(approximate="tanh")
        self.proj = nn.Linear(hidden, d)

    def forward(self, x: Tensor) -> Tensor:
        bent = self.gelu(self.fc(x))  # (..., hidden)
        narrowed: Tensor = self.proj(bent)  # (..., d)
        return narrowed
