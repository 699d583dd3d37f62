"""Names, letter by letter: a recurrent network that guesses the next one."""

import math
import random

import torch
from torch import nn

LETTERS = "abcdefghijklmnopqrstuvwxyz."
NAMES = ["ada", "grace", "edsger", "barbara", "donald", "frances", "tony", "jean", "john", "lynn"]


def tensor(name):
    return torch.tensor([[LETTERS.index(letter)] for letter in name + "."])


class Guesser(nn.Module):
    def __init__(self, size=48):
        super().__init__()
        self.letters = nn.Embedding(len(LETTERS), size)
        self.memory = nn.LSTM(size, size)
        self.scores = nn.Linear(size, len(LETTERS))

    def forward(self, letters):
        found, _ = self.memory(self.letters(letters))
        return self.scores(found)


random.seed(0)
torch.manual_seed(0)
model, total = Guesser(), 0.0
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for _ in range(60):
    word = tensor(random.choice(NAMES))
    loss = nn.functional.cross_entropy(model(word[:-1]).flatten(0, 1), word[1:].flatten())
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    total += loss.item()
print(f"perplexity {math.exp(total / 60):.2f}")
